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
  #open = new Int32Array(256);
  /** The number of words. */
  #end = 0;

  clear(): void {
    this.#end = 0;
  }

  /** Takes the top if it is this side, and returns whether it is. */
  takeIfTop({ print1, print2 }: Print): boolean {
    const top = this.#end - 2;
    if (top < 0 || this.#open[top] !== print1 || this.#open[top + 1] !== print2) return false;
    this.#end = top;
    return true;
  }

  takeTop(): Print {
    if (this.#end === 0) throw new RangeError('no side is open');
    this.#end -= 2;
    return { print1: this.#open[this.#end]!, print2: this.#open[this.#end + 1]! };
  }

  /** Takes a side that is not the top. */
  take({ print1, print2 }: Print): void {
    const last = Math.max(0, this.#end - 2 * MOST_SEARCHED);
    for (let i = this.#end - 2; i >= last; i -= 2)
      if (this.#open[i] === print1 && this.#open[i + 1] === print2) {
        this.#open.copyWithin(i, i + 2, this.#end);
        this.#end -= 2;
        return;
      }
  }

  /** Adds both sides of a fork. */
  add({ print1, print2 }: Print): void {
    if (this.#end + 4 > this.#open.length) this.#grow();
    const open = this.#open;
    const end = this.#end;
    open[end] = mix1(print1, FALSE);
    open[end + 1] = mix2(print2, FALSE);
    open[end + 2] = mix1(print1, TRUE);
    open[end + 3] = mix2(print2, TRUE);
    this.#end = end + 4;
  }

  #grow(): void {
    const longer = new Int32Array(2 * this.#open.length);
    longer.set(this.#open);
    this.#open = longer;
  }
}
