/**
 * From a round that a path will go for ever to the finding, or to nothing where something outside
 * of the path could end it:
 *
 * - the round reads a `volatile` that is not a local: what hardware or a signal handler changes;
 * - another thread could go on: with `--threads`, any that does not wait; without, a thread that
 *   `pthread_create` has not returned from yet runs to its end first here, and on a machine the
 *   others would run beside it;
 * - the round asks the host for more than the end of an input: for a file that another process may
 *   make, for the time, for anything else;
 * - the round calls a function of the machine, whose state is not known.
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

/** Functions that run another one as a thread of its own. */
const THREAD_STARTS: ReadonlySet<string> = new Set(['pthread_create', 'thrd_create']);

/** What it needs of the machine. */
interface Interpreter {
  readonly state: State;
  readonly external: unknown;
  readonly program: {
    functionNamed(name: string): Pick<DecodedFunction, 'native'> | undefined;
  };
  trace(): Trace;
}

/** The finding for the path that is at the end of a round that repeats a state. */
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

/** Is there another thread that could run, or whose wait has a deadline? */
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
 * What was run of a block that was begun, or gone on with behind a call, at these steps. A call
 * that `longjmp` has left is not gone on behind.
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

/** Does the frame change in this call? */
function isLeft(ir: Instruction, isNative: (name: string) => boolean): boolean {
  if (ir.op !== 'call' || ir.callee.kind !== 'function') return false;
  const { name, blocks } = ir.callee;
  return name === 'longjmp' || (blocks.length > 0 && !isNative(name));
}

/** The lines of the program that a round runs, in order. */
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
