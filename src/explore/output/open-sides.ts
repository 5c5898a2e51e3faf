/**
 * The sides of forks below which no entry is known yet, the last ones on top. A searcher mostly
 * continues at the top, so that a journal need not repeat the fingerprint of its fork or path.
 *
 *     fork at A      A·true  A·false               ┐ an entry that continues at the top, A·true,
 *     fork at A·true   ──▶   A·true·true  A·true·false  A·false     takes one bit
 *
 * The writer and the reader of a record perform the same steps.
 */
import { mix1, mix2, type Print } from '../../expr/term-print.js';
import { FALSE, TRUE } from '../state/history.js';

/** A side further down is not looked for. */
const MOST_SEARCHED = 64;

export class OpenSides {
  /** The two words of each fingerprint: no object for each fork. */
  readonly #open: number[] = [];

  clear(): void {
    this.#open.length = 0;
  }

  /** Takes the top if it is this side, and returns whether it is. */
  takeIfTop(side: Print): boolean {
    const top = this.#open.length - 2;
    const isTop = top >= 0 && this.#isAt(top, side);
    if (isTop) this.#open.length = top;
    return isTop;
  }

  takeTop(): Print {
    const top = this.#open.length - 2;
    if (top < 0) throw new RangeError('no side is open');
    const [print1, print2] = [this.#open[top]!, this.#open[top + 1]!];
    this.#open.length = top;
    return { print1, print2 };
  }

  /** Takes a side that is not the top. */
  take(side: Print): void {
    const end = this.#open.length;
    const last = Math.max(0, end - 2 * MOST_SEARCHED);
    for (let i = end - 2; i >= last; i -= 2)
      if (this.#isAt(i, side)) {
        this.#open.splice(i, 2);
        return;
      }
  }

  /** Adds both sides of a fork. */
  add({ print1, print2 }: Print): void {
    this.#open.push(mix1(print1, FALSE) | 0, mix2(print2, FALSE) | 0);
    this.#open.push(mix1(print1, TRUE) | 0, mix2(print2, TRUE) | 0);
  }

  #isAt(i: number, { print1, print2 }: Print): boolean {
    return this.#open[i] === print1 && this.#open[i + 1] === print2;
  }
}
