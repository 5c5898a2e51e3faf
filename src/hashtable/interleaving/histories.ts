/**
 * Histories of calls: the result of each call, and which calls had ended before which began. The
 * order of two overlapping calls is not part of a history.
 *
 * Histories are numbered, so that a search over states can compare them.
 */

interface History {
  /**
   * For each thread, its calls: the number of finished calls of every thread when each began, and
   * its result.
   */
  readonly calls: readonly string[];
  /** How many calls of each thread have ended. */
  readonly ended: readonly number[];
}

export class Histories {
  readonly #histories: History[] = [];
  readonly #numbers = new Map<string, number>();

  /** The number of the history without a call is 0. */
  constructor(threads: number) {
    this.#numberOf({ calls: new Array(threads).fill(''), ended: new Array(threads).fill(0) });
  }

  begin(history: number, thread: number): number {
    const { calls, ended } = this.#histories[history]!;
    return this.#numberOf({ calls: calls.with(thread, `${calls[thread]} [${ended}]`), ended });
  }

  end(history: number, thread: number, result: string): number {
    const { calls, ended } = this.#histories[history]!;
    return this.#numberOf({
      calls: calls.with(thread, `${calls[thread]} = ${result}`),
      ended: ended.with(thread, ended[thread]! + 1),
    });
  }

  describe(history: number): string {
    return this.#histories[history]!.calls.join(' |');
  }

  #numberOf(history: History): number {
    const key = history.calls.join('|');
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#histories.push(history) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }
}
