/**
 * The program's memory as a malloc sees it: words and bytes by address, and a break that moves up,
 * like that of `sbrk`.
 *
 *     0            start                    break               limit
 *     | the rest of the program's memory    |  not the malloc's |
 *                  |<- handed out by sbrk ->|
 *
 * Words are signed 32-bit: addresses stay below 2 GiB, where they are small integers to V8. A
 * 64-bit field of C is two words, of which the malloc reads the lower.
 *
 * The break is a word of a buffer of its own, moved by compare-and-swap, so that several workers
 * can share a memory.
 *
 * Invariant: start <= break <= limit, and every byte below the break is inside `bytes`.
 */
import { assert } from '../support/assert.js';
import { ALIGNMENT } from './malloc.js';

/**
 * Where the bytes come from: a WebAssembly.Memory, or a buffer that is as long as it will ever be.
 */
export interface ByteSource {
  readonly buffer: ArrayBufferLike;
  /** Absent when the buffer cannot grow. */
  grow?(pages: number): number;
}

const wasmPage = 65_536;
/** Where the heap begins if nothing else lies in the memory: null is then no block. */
export const firstAddress: number = wasmPage;
/** Addresses are small integers. */
const highestLimit = 0x7fff_0000;

export class LinearMemory {
  words: Int32Array;
  bytes: Uint8Array;
  readonly start: number;
  readonly limit: number;

  constructor(
    private readonly source: ByteSource,
    range: { readonly start: number; readonly limit: number },
    private readonly brk: Int32Array = new Int32Array(1),
  ) {
    this.start = Math.max((range.start + ALIGNMENT - 1) & -ALIGNMENT, ALIGNMENT);
    this.limit = Math.min(range.limit, highestLimit) & -ALIGNMENT;
    assert(this.start <= this.limit, 'the heap begins before its limit');
    this.words = new Int32Array(source.buffer);
    this.bytes = new Uint8Array(source.buffer);
    Atomics.compareExchange(brk, 0, 0, this.start);
  }

  get break(): number {
    return Atomics.load(this.brk, 0);
  }

  /** Addresses below this can be accessed without a fault. */
  get end(): number {
    return this.bytes.length;
  }

  /**
   * Moves the break up by that many bytes, a multiple of 16; the old break, or -1 when the limit is
   * reached.
   */
  sbrk(bytes: number): number {
    for (;;) {
      const old = Atomics.load(this.brk, 0);
      if (bytes > this.limit - old || !this.#reach(old + bytes)) return -1;
      if (Atomics.compareExchange(this.brk, 0, old, old + bytes) === old) return old;
    }
  }

  /** The same, so that the result is a multiple of `alignment`; what lies between is lost. */
  sbrkAligned(bytes: number, alignment: number): number {
    for (;;) {
      const old = Atomics.load(this.brk, 0);
      const aligned = (old + alignment - 1) & -alignment;
      if (bytes > this.limit - aligned || !this.#reach(aligned + bytes)) return -1;
      if (Atomics.compareExchange(this.brk, 0, old, aligned + bytes) === old) return aligned;
    }
  }

  /** Renews the views of the memory; must be called when another user may have grown it. */
  refresh(): void {
    const { buffer } = this.source;
    if (this.words.buffer === buffer) return;
    this.words = new Int32Array(buffer);
    this.bytes = new Uint8Array(buffer);
  }

  #reach(end: number): boolean {
    this.refresh();
    if (end <= this.bytes.length) return true;
    if (this.source.grow === undefined) return false;
    try {
      this.source.grow(Math.ceil((end - this.bytes.length) / wasmPage));
    } catch {
      return false;
    }
    this.refresh();
    return true;
  }
}
