/**
 * Decides whether a repeated state is an infinite loop. It is not reported if something outside
 * the path could end it:
 *
 * - the loop reads a `volatile` that is not a local, which hardware or a signal handler may change;
 * - another thread could run: with `--threads`, any thread that does not wait; without it, a new
 *   thread runs to its end inside `pthread_create`, whereas on a real machine the others would
 *   run concurrently;
 * - the loop calls the host for more than the end of an input: a file that another process may
 *   create, the time, or anything else;
 * - the loop calls an external function, whose state is unknown.
 */
import type { Finding, LoopLine } from '../../findings/finding.js';
import { isInLibrary } from '../../findings/finding.js';
import type { Instruction } from '../../ir/model.js';
import { stackOfInstruction, type Trace } from '../memory/call-trace.js';
import { rootOf } from '../program/root.js';
import type { DecodedBlock, DecodedFunction } from '../state/decoded.js';
import type { Frame } from '../state/frame.js';
import { makeFinding } from '../state/make-finding.js';
import type { Round, State, Thread } from '../state/state.js';

/** Functions that run another function as a thread. */
const THREAD_STARTS: ReadonlySet<string> = new Set(['pthread_create', 'thrd_create']);

/** The part of the machine that it uses. */
interface Interpreter {
  readonly state: State;
  readonly external: unknown;
  readonly program: {
    functionNamed(name: string): Pick<DecodedFunction, 'native'> | undefined;
  };
  trace(): Trace;
}

/** The finding for a path whose state repeats. */
export function endlessLoop(
  machine: Interpreter,
  { instructions, blocks, head }: Round,
): Finding | undefined {
  if (isInOtherThread(machine.state.frame) || couldGoOn(machine.state)) return undefined;
  const isNative = (name: string): boolean => machine.program.functionNamed(name)?.native !== undefined;
  const run = [...blocks].flatMap(([block, starts]) => runOf(block, starts, isNative));
  if (run.some(ir => dependsOnOutside(ir, machine.external !== undefined))) return undefined;
  return makeFinding({ kind: 'loop', instructions, lines: linesOf(run) }, head ?? machine.trace());
}

/** Whether another thread can run, or waits with a deadline. */
function couldGoOn({ threads }: State): boolean {
  if (threads === undefined) return false;
  const isHeldUp = ({ waits, about }: Thread): boolean => waits.what !== 0 && about.what !== 'times-out';
  return threads.alive.some(thread => thread !== threads.current && !isHeldUp(thread));
}

function isInOtherThread(top: Frame): boolean {
  for (let frame: Frame | undefined = top; frame !== undefined; frame = frame.caller)
    if (THREAD_STARTS.has(frame.target.name)) return true;
  return false;
}

function dependsOnOutside(ir: Instruction, callsOutside: boolean): boolean {
  if (ir.op === 'load') {
    const root = rootOf(ir.pointer);
    return ir.volatile && !(root.kind === 'instruction' && root.op === 'alloca');
  }
  if (ir.op !== 'call') return false;
  const name = ir.callee.kind === 'function' ? ir.callee.name : '';
  if (name.startsWith('__host_') && name !== '__host_read' && name !== '__host_math') return true;
  return callsOutside && (ir.callee.kind !== 'function' || ir.callee.blocks.length === 0);
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
