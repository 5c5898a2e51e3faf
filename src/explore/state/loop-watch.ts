/**
 * Looks for a state of a path that comes back: an infinite loop.
 *
 *     path   ────────────────|######|──────────────────────────|############|────────── …
 *            `first` steps    window  `rest` windows           twice as long
 *
 * Only in the windows the path is watched. There the interpreter runs it, every place where a turn
 * may end is a *visit*, and each visit is compared with a copy of an earlier state. The copy is
 * taken anew after 1, 2, 4, … visits (Brent's algorithm), so a loop that was entered before the
 * window began is found within three of its rounds, and the first visit that is equal is exactly
 * one round later. Windows grow, so that every loop comes to fit in one, and the time between them
 * grows with them, so that watching stays a fixed part of the run.
 *
 * Why not a hash of the whole state that each store keeps up to date, and a table of all hashes, as
 * SymLive has it: compiled code stores a word in a nanosecond, and would take several times as
 * long. States share all that was not written since they were forked, so the version of a page is
 * its hash here: what has the same is not compared again.
 *
 * **Invariant:** what is counted are instructions of the path, so where windows lie depends neither
 * on the clock nor on other paths.
 */
import type { Trace } from '../memory/call-trace.js';
import type { DecodedBlock } from './decoded.js';
import { type Frame, isAtTurnPoint } from './frame.js';
import { isSameState } from './same-state.js';
import type { PathWatch, Round, State } from './state.js';

/** How much of a path is watched; in instructions of the path. */
export interface Watching {
  /** The first window opens after so many. */
  readonly first: number;
  /** The first window has so many; each is twice as long as the one before. */
  readonly window: number;
  /** Between two windows are so many times as many as the later one has. */
  readonly rest: number;
}

/** The interpreter is some fifty times slower than compiled code: watching costs at most 3 %. */
export const BRIEFLY: Watching = { first: 2 ** 20, window: 2 ** 12, rest: 2048 };

/** As often as at most doubles the time. */
export const OFTEN: Watching = { first: 2 ** 12, window: 2 ** 12, rest: 48 };

export class LoopWatch implements PathWatch {
  readonly #watching: Watching;
  #window: number;
  /** The count of the path's instructions after which the window opens, or closes. */
  next: number;
  isOpen = false;
  /** The state that later ones are compared with, and the count of instructions there. */
  #earlier: State | undefined;
  #earlierAt = 0;
  #visits = 0;
  #mostVisits = 1;
  /** What was run since. */
  #blocks = new Map<DecodedBlock, Set<number>>();
  #leastDepth = 0;
  #head: Trace | undefined;
  #headIndex = 0;

  constructor(watching: Watching) {
    this.#watching = watching;
    this.#window = watching.window;
    this.next = watching.first;
  }

  /** For a state that is forked. */
  copy(): LoopWatch {
    const copy = new LoopWatch(this.#watching);
    copy.#window = this.#window;
    copy.next = this.next;
    copy.isOpen = this.isOpen;
    copy.#earlier = this.#earlier;
    copy.#earlierAt = this.#earlierAt;
    copy.#visits = this.#visits;
    copy.#mostVisits = this.#mostVisits;
    copy.#blocks = new Map([...this.#blocks].map(([block, starts]) => [block, new Set(starts)]));
    copy.#leastDepth = this.#leastDepth;
    copy.#head = this.#head;
    copy.#headIndex = this.#headIndex;
    return copy;
  }

  /**
   * The path, which has run so many instructions, goes on with the rest of a block. Returns the
   * round that it is at the end of, if it is in the same state as before. Requires that the window
   * is open, or that the path is at a turn point behind `next`.
   */
  look(state: State, now: number): Round | undefined {
    const { frame } = state;
    const isVisit = isAtTurnPoint(frame);
    if (!this.isOpen) this.#open(now);
    else if (isVisit && this.#isBack(state, now)) {
      const round = { instructions: now - this.#earlierAt, blocks: this.#blocks, head: this.#head };
      this.#close(now);
      return round;
    } else if (isVisit && now > this.next) {
      this.#close(now);
      return undefined;
    }
    if (isVisit && ++this.#visits >= this.#mostVisits) {
      this.#mostVisits *= 2;
      this.#remember(state, now);
    }
    this.#note(frame, isVisit);
    return undefined;
  }

  #open(now: number): void {
    this.isOpen = true;
    this.next = now + this.#window;
    this.#visits = 0;
    this.#mostVisits = 1;
  }

  #close(now: number): void {
    this.isOpen = false;
    this.#earlier = undefined;
    this.#window *= 2;
    this.next = now + this.#watching.rest * this.#window;
  }

  /** A step that was interrupted is run again: that is no round. */
  #isBack(state: State, now: number): boolean {
    return this.#earlier !== undefined && now > this.#earlierAt && isSameState(state, this.#earlier);
  }

  #remember(state: State, now: number): void {
    this.#earlier = undefined;
    this.#earlier = state.fork(-1);
    this.#earlier.watch = undefined;
    this.#earlierAt = now;
    this.#visits = 0;
    this.#blocks = new Map();
    this.#leastDepth = Number.POSITIVE_INFINITY;
    this.#head = undefined;
  }

  /**
   * The activation that is there in the whole round is the outermost, and in it the loop that comes
   * first.
   */
  #note({ block, pc, depth, calls }: Frame, isVisit: boolean): void {
    const starts = this.#blocks.get(block);
    if (starts === undefined) this.#blocks.set(block, new Set([pc]));
    else starts.add(pc);
    if (depth > this.#leastDepth) return;
    if (depth < this.#leastDepth) {
      this.#leastDepth = depth;
      this.#head = undefined;
    }
    const isHead = isVisit && (pc > 0 || block.isLoopHead);
    if (!isHead || (this.#head !== undefined && this.#headIndex <= block.index)) return;
    this.#headIndex = block.index;
    const at = pc > 0 ? block.steps[pc - 1]!.ir : placeOf(block);
    this.#head = { at, calls };
  }
}

/** The first instruction of a block that has a place in the source. */
function placeOf({ steps }: DecodedBlock): Trace['at'] {
  return (steps.find(({ ir }) => ir.debugLocation !== undefined) ?? steps[0]!).ir;
}
