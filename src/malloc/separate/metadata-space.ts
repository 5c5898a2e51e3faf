/**
 * The memory in which metadata live that the program must not reach.
 *
 * A program has instructions for its own linear memory and for no other, so a buffer beside it is a
 * protection domain of its own: no address that the program can form, however wild, names a word in
 * here. That is what the SRI report (section 1.3) wished for and could only approximate by placing
 * the metadata at a random address.
 *
 * The buffer is carved once, in the same order by every worker that attaches to it. It is as large
 * as it will ever be; the operating system backs only pages that were touched.
 */
import { assert } from '../../support/assert.js';

export interface MetadataOptions {
  readonly bytes: number;
  /** Shared metadata: made by one worker, attached by the others. */
  readonly buffer?: SharedArrayBuffer;
}

export class MetadataSpace {
  readonly #words: Int32Array;
  #carved = 0;

  constructor({ bytes, buffer }: MetadataOptions) {
    this.#words = new Int32Array(buffer ?? new ArrayBuffer(bytes));
  }

  get freeWords(): number {
    return this.#words.length - this.#carved;
  }

  /** The next words, all 0 at first. */
  carve(words: number): Int32Array {
    assert(words <= this.freeWords, 'the space for metadata is too small');
    const start = this.#carved;
    this.#carved += words;
    return this.#words.subarray(start, start + words);
  }
}
