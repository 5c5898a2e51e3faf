/**
 * The bytes of a file that lives in memory.
 *
 * `Contents` is an interface so that the explorer can put contents of its own (symbolic ones)
 * behind a name of the model; `ByteContents` is the ordinary kind, an array that doubles when it
 * must grow.
 *
 * Invariant of ByteContents: bytes at and after `size` in the array are zero, so growing leaves a
 * hole of zeros.
 */
export interface Contents {
  readonly size: number;
  /**
   * Copies at most `length` bytes from `offset` to `memory[start..]`; returns how many there were.
   */
  read(memory: Uint8Array, start: number, length: number, offset: number): number;
  write(memory: Uint8Array, start: number, length: number, offset: number): void;
  truncate(size: number): void;
  clone(): Contents;
}

export class ByteContents implements Contents {
  #bytes: Uint8Array;
  #size: number;

  /** Copies `bytes`. */
  constructor(bytes: Uint8Array = new Uint8Array(0)) {
    this.#bytes = bytes.slice();
    this.#size = bytes.length;
  }

  get size(): number {
    return this.#size;
  }

  read(memory: Uint8Array, start: number, length: number, offset: number): number {
    const count = Math.max(0, Math.min(length, this.#size - offset));
    memory.set(this.#bytes.subarray(offset, offset + count), start);
    return count;
  }

  write(memory: Uint8Array, start: number, length: number, offset: number): void {
    this.#reserve(offset + length);
    this.#bytes.set(memory.subarray(start, start + length), offset);
    this.#size = Math.max(this.#size, offset + length);
  }

  truncate(size: number): void {
    this.#reserve(size);
    if (size < this.#size) this.#bytes.fill(0, size, this.#size);
    this.#size = size;
  }

  clone(): ByteContents {
    return new ByteContents(this.bytes());
  }

  /** A view, valid until the next change. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#size);
  }

  #reserve(size: number): void {
    if (size <= this.#bytes.length) return;
    const bytes = new Uint8Array(Math.max(size, 2 * this.#bytes.length, 64));
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }
}
