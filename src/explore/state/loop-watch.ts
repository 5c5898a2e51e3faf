/**
 * Detects a repeated state of a path: an infinite loop.
 *
 *     path   ────────────────|######|──────────────────────────|############|────────── …
 *            `first` steps    window  `rest` windows           twice as long
 *
 * The path is watched only in the windows. There the interpreter executes it, every slice point
 * is a *visit*, and the state at each visit is compared with a copy of an earlier one. The copy
 * is taken anew after 1, 2, 4, … visits (Brent's algorithm), so a loop that was entered before
 * the window began is found within three of its rounds, and the first visit that is equal is
 * exactly one round later. Windows grow, so that every loop eventually fits into one, and so
 * does the time between them, so that watching takes a fixed part of the run.
 *
 * Why not a hash of the whole state that each store updates, and a table of all hashes, as in
 * SymLive? Compiled code stores a word in a nanosecond, and would take several times as long.
 * Forked states share everything that was not written since, so the version of a page serves as its
 * hash here: pages of the same version are not compared.
 *
 * **Invariant:** windows are defined by instructions of the path, so they depend neither on the
 * clock nor on other paths.
 */
import type { Trace } from '../memory/call-trace.js';
import type { DecodedBlock } from './decoded.js';
import { type Frame, isAtSlicePoint } from './frame.js';
import { isSameState } from './same-state.js';
import type { PathWatch, Round, State } from './state.js';

/** How much of a path is watched; in instructions of the path. */
export interface Watching {
  /** The number of instructions before the first window. */
  readonly first: number;
  /** The size of the first window; each is twice as long as the one before. */
  readonly window: number;
  /** The gap between two windows, as a multiple of the later one. */
  readonly rest: number;
}

/** The interpreter is about fifty times slower than compiled code: watching costs at most 3 %. */
export const BRIEFLY: Watching = { first: 2 ** 20, window: 2 ** 12, rest: 2048 };

/** At most doubles the time. */
export const OFTEN: Watching = { first: 2 ** 12, window: 2 ** 12, rest: 48 };

export class LoopWatch implements PathWatch {
  readonly #watching: Watching;
  #window: number;
  /** The instruction count of the path at which the window opens or closes. */
  next: number;
  isOpen = false;
  /** The state with which later ones are compared, and its instruction count. */
  #earlier: State | undefined;
  #earlierAt = 0;
  #visits = 0;
  #mostVisits = 1;
  /** The blocks executed since. */
  #blocks = new Map<DecodedBlock, Set<number>>();
  #leastDepth = 0;
  #head: Trace | undefined;
  #headIndex = 0;

  constructor(watching: Watching) {
    this.#watching = watching;
    this.#window = watching.window;
    this.next = watching.first;
  }

  /** Copies the watch for a forked state. */
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
   * Called when the path continues with the rest of a block. Returns the round that ends here, if
   * the state repeats. Requires that the window is open, or that the path is at a slice point after
   * `next`.
   */
  look(state: State, now: number): Round | undefined {
    const { frame } = state;
    const isVisit = isAtSlicePoint(frame);
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

  /** A step that was interrupted and is executed again is not a round. */
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
   * The outermost activation that exists during the whole round has the loop, at its first block.
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

/** The first instruction of a block that has a source location. */
function placeOf({ steps }: DecodedBlock): Trace['at'] {
  return (steps.find(({ ir }) => ir.debugLocation !== undefined) ?? steps[0]!).ir;
}
