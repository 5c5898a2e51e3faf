/**
 * Yields to the event loop during long work of the main thread: a timer or Ctrl-C is noticed only
 * between two turns of the event loop.
 *
 *     const turns = new Turns(signal);
 *     for (const item of items) { await turns.next(); … }      // rejects with the reason of the signal when it has aborted
 */
import { nextTurn } from './next-turn.js';

const turnMs = 50;

export class Turns {
  readonly #signal: AbortSignal | undefined;
  #start = performance.now();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Returns at once unless this turn has taken long already. */
  async next(): Promise<void> {
    if (performance.now() - this.#start < turnMs) return;
    await nextTurn();
    this.#signal?.throwIfAborted();
    this.#start = performance.now();
  }
}
