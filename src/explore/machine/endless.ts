/**
 * Decides whether a repeated state is an infinite loop. It is not reported if something outside
 * the path could end it:
 *
 * - the loop reads a `volatile` that is not a local, which hardware or a signal handler may change,
 *   or an atomic in a program that handles signals; the library's own spin locks are neither;
 * - a timer is set, whose signal may end the loop or the program;
 * - another thread could run: with `--threads`, any thread that does not wait; without it, any that
 *   has not ended. There a new thread runs to its end inside `pthread_create`, or when its creator
 *   releases its last lock, whereas on a real machine both would run concurrently;
 * - the loop calls the host for more than the end of an input: a file that another process may
 *   create, the time, or anything else;
 * - the loop calls an external function, whose state is unknown.
 */
import type { Finding, LoopLine } from '../../findings/finding.js';
import { isInLibrary } from '../../findings/finding.js';
import { isMathImport } from '../../host/wire.js';
import { calledName } from '../../ir/called-functions.js';
import type { Instruction } from '../../ir/model.js';
import { load } from '../access/access.js';
import { stackOfInstruction } from '../memory/call-trace.js';
import { rootOf } from '../program/root.js';
import type { DecodedBlock } from '../state/decoded.js';
import { makeFinding } from '../state/make-finding.js';
import type { Running } from '../state/running.js';
import type { Round, State, Thread } from '../state/state.js';

/** A variable of the library that is not null once the program has changed a signal's action. */
const SIGNALS_CHANGED = '__rz_on_broken_pipe';

/** A variable of the library that is not null once the program has set a timer. */
const TIMERS_SET = '__rz_timers';

/** The finding for a path whose state repeats. */
export function endlessLoop(machine: Running, { instructions, blocks, head }: Round): Finding | undefined {
  if (couldGoOn(machine.state) || isSet(machine, TIMERS_SET)) return undefined;
  const isNative = (name: string): boolean => machine.program.functionNamed(name)?.native !== undefined;
  const run = [...blocks].flatMap(([block, starts]) => runOf(block, starts, isNative));
  const outside = { calls: machine.external !== undefined, signals: isSet(machine, SIGNALS_CHANGED) };
  if (run.some(ir => dependsOnOutside(ir, outside))) return undefined;
  return makeFinding({ kind: 'loop', instructions, lines: linesOf(run) }, head ?? machine.trace());
}

/** Whether another thread can run, or waits with a deadline. */
function couldGoOn({ threads, calledThreads }: State): boolean {
  if (threads === undefined) return calledThreads > 0;
  const isHeldUp = ({ waits, about }: Thread): boolean => waits.what !== 0 && about.what !== 'times-out';
  return threads.alive.some(thread => thread !== threads.current && !isHeldUp(thread));
}

function isSet(machine: Running, pointer: string): boolean {
  const at = machine.program.variableNamed(pointer);
  return at !== undefined && Number(load(machine, at, 8)) !== 0;
}

function dependsOnOutside(
  ir: Instruction,
  outside: { readonly calls: boolean; readonly signals: boolean },
): boolean {
  if (ir.op === 'load' || ir.op === 'cmpxchg' || ir.op === 'atomicrmw') {
    const isAtomic = ir.op !== 'load' || ir.ordering !== undefined;
    if (!ir.volatile && !(isAtomic && outside.signals)) return false;
    const root = rootOf(ir.pointer);
    const place = stackOfInstruction(ir)[0];
    const isLocal = root.kind === 'instruction' && root.op === 'alloca';
    return !isLocal && !(place !== undefined && isInLibrary(place));
  }
  if (ir.op !== 'call') return false;
  const name = calledName(ir);
  if (name.startsWith('__host_') && name !== '__host_read' && !isMathImport(name)) return true;
  return outside.calls && (ir.callee.kind !== 'function' || ir.callee.blocks.length === 0);
}

/**
 * The instructions executed in a block that was entered, or continued after a call, at these steps.
 * A call that `longjmp` left is not continued.
 */
function runOf(
  { steps }: DecodedBlock,
  starts: ReadonlySet<number>,
  isNative: (name: string) => boolean,
): Instruction[] {
  return [...starts].flatMap(start => {
    const end = steps.findIndex(({ ir }, i) => i >= start && (starts.has(i + 1) || isLeft(ir, isNative)));
    return steps.slice(start, end < 0 ? undefined : end + 1).map(({ ir }) => ir);
  });
}

/** Whether the frame changes in this call. */
function isLeft(ir: Instruction, isNative: (name: string) => boolean): boolean {
  if (ir.op !== 'call' || ir.callee.kind !== 'function') return false;
  const { name, blocks } = ir.callee;
  return name === 'longjmp' || (blocks.length > 0 && !isNative(name));
}

/** The lines of the program that a round executes, in order. */
function linesOf(run: readonly Instruction[]): LoopLine[] {
  const lines = new Map<string, Set<number>>();
  for (const ir of run) {
    const place = stackOfInstruction(ir)[0];
    if (place === undefined || place.line === 0 || isInLibrary(place)) continue;
    const ofFile = lines.get(place.file);
    if (ofFile === undefined) lines.set(place.file, new Set([place.line]));
    else ofFile.add(place.line);
  }
  return [...lines].flatMap(([file, ofFile]) =>
    [...ofFile].sort((a, b) => a - b).map(line => ({ file, line })),
  );
}
