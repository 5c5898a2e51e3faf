/**
 * Decides whether two states of one path are the same, so that the program repeats forever what it
 * did between them.
 *
 * Everything is compared on which the rest of a path can depend: frames with their registers,
 * objects with their addresses and contents, the state of the allocator, the host, the requested
 * inputs. Terms are hash-consed, so the same symbolic value is the same object. Data that both
 * share since the fork is skipped, so a comparison costs as much as was written between the two.
 *
 * **Why path conditions are not compared.** The later state's conditions imply the earlier one's.
 * An input that leads to the later state leads through the earlier one, and gives every term the
 * same value in both: on that input the machine is in the same state twice.
 *
 * Serial numbers of activations are used once, so those of frames that were left and entered again
 * differ; they only matter to `longjmp`, and are compared by the depth of their frames.
 */
import type { RegisterValue } from '../values/register-value.js';
import type { Frame } from './frame.js';
import type { JumpTarget, State, Threads } from './state.js';

/** Requires that `earlier` is a copy of an earlier state of the path. */
export function isSameState(state: State, earlier: State): boolean {
  return (
    isSameFrame(state.frame, earlier.frame) &&
    state.inputs.length === earlier.inputs.length &&
    state.heapBytes === earlier.heapBytes &&
    state.stackBytes === earlier.stackBytes &&
    state.constructorsRun === earlier.constructorsRun &&
    state.standIn === earlier.standIn &&
    state.isForkingOff === earlier.isForkingOff &&
    state.calledThreads === earlier.calledThreads &&
    areSameFrames(state.frame.caller, earlier.frame.caller) &&
    areSameJumps(state, earlier) &&
    areSameThreads(state.threads, earlier.threads) &&
    state.hasHostLike(earlier) &&
    state.memory.isLike(earlier.memory)
  );
}

function areSameFrames(frame: Frame | undefined, earlier: Frame | undefined): boolean {
  let one = frame;
  let another = earlier;
  while (one !== another) {
    if (one === undefined || another === undefined || !isSameFrame(one, another)) return false;
    one = one.caller;
    another = another.caller;
  }
  return true;
}

/** Except for the choices so far and the order of accesses. */
function areSameThreads(threads: Threads | undefined, earlier: Threads | undefined): boolean {
  if (threads === undefined || earlier === undefined) return threads === earlier;
  const now = threads.alive;
  const then = earlier.alive;
  return (
    threads.current.handle === earlier.current.handle &&
    now.length === then.length &&
    now.every((thread, i) => {
      const other = then[i]!;
      return (
        thread.id === other.id &&
        thread.isPastPoint === other.isPastPoint &&
        thread.waits.what === other.waits.what &&
        thread.locks.length === other.locks.length &&
        areSameFrames(thread.frame, other.frame)
      );
    })
  );
}

function isSameFrame(frame: Frame, earlier: Frame): boolean {
  return (
    frame.block === earlier.block &&
    frame.pc === earlier.pc &&
    frame.depth === earlier.depth &&
    frame.variadics === earlier.variadics &&
    frame.isRepeated === earlier.isRepeated &&
    areSameValues(frame.regs, earlier.regs) &&
    frame.locals.length === earlier.locals.length &&
    frame.locals.every((address, i) => address === earlier.locals[i])
  );
}

function areSameValues(values: readonly RegisterValue[], earlier: readonly RegisterValue[]): boolean {
  if (values.length !== earlier.length) return false;
  for (let i = 0; i < values.length; i++) if (!isSameValue(values[i]!, earlier[i]!)) return false;
  return true;
}

/** NaN equals itself, and zeros of different sign differ. */
function isSameValue(value: RegisterValue, earlier: RegisterValue): boolean {
  if (Object.is(value, earlier)) return true;
  return Array.isArray(value) && Array.isArray(earlier) && areSameValues(value, earlier);
}

function areSameJumps(state: State, earlier: State): boolean {
  if (state.jumps === earlier.jumps) return true;
  if (state.jumps.size !== earlier.jumps.size) return false;
  const depthNow = depthsOf(state.frame);
  const depthThen = depthsOf(earlier.frame);
  const isSame = (jump: JumpTarget, other: JumpTarget | undefined): boolean =>
    other !== undefined &&
    jump.frame.block === other.frame.block &&
    jump.frame.pc === other.frame.pc &&
    depthNow.get(jump.serial) === depthThen.get(other.serial);
  return [...state.jumps].every(([address, jump]) => isSame(jump, earlier.jumps.get(address)));
}

/** The depths of live activations, by their serial numbers. */
function depthsOf(top: Frame): Map<number, number> {
  const depths = new Map<number, number>();
  for (let frame: Frame | undefined = top; frame !== undefined; frame = frame.caller)
    depths.set(frame.serial, frame.depth);
  return depths;
}
