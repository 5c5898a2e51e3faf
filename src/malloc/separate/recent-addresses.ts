/**
 * The addresses of blocks that were freed and of which nothing else is known any more, because they
 * were merged: the last 256. A second free of one of them can so be called a double free, and not
 * only an invalid one.
 *
 *     words   │ how many were noted │ address │ address │ …        a ring
 */
const COUNT = 256;

export const RECENT_WORDS: number = 1 + COUNT;

export class RecentAddresses {
  readonly #words: Int32Array;

  constructor(words: Int32Array) {
    this.#words = words;
  }

  note(address: number): void {
    const noted = this.#words[0]!;
    this.#words[1 + (noted & (COUNT - 1))] = address;
    this.#words[0] = (noted + 1) | 0;
  }

  has(address: number): boolean {
    return this.#words.indexOf(address, 1) >= 0;
  }
}
