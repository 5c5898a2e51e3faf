/**
 * The progress line: on a terminal one line that is overwritten, otherwise nothing.
 *
 * Invariant: between `clear()` and the next `show()` the line is empty and the cursor at its start,
 * so other output never mixes with it. Updates closer than `everyMs` are dropped, except the first.
 */
import { printable } from '../support/printable.js';
import type { Output } from './io.js';

const everyMs = 80;

export class ProgressLine {
  readonly #output: Output;
  readonly #now: () => number;
  #lastShownMs = Number.NEGATIVE_INFINITY;
  #isShown = false;

  constructor(output: Output, now: () => number = () => performance.now()) {
    this.#output = output;
    this.#now = now;
  }

  show(text: string): void {
    if (!this.#output.isTerminal || this.#now() - this.#lastShownMs < everyMs) return;
    this.#lastShownMs = this.#now();
    this.#isShown = true;
    this.#output.write(`\r\u001b[K${printable(text).slice(0, this.#output.columns - 1)}`);
  }

  clear(): void {
    if (this.#isShown) this.#output.write('\r\u001b[K');
    this.#isShown = false;
  }
}
