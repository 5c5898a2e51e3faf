/**
 * Packs small numbers, texts and bytes into a byte array.
 *
 * A natural number takes seven bits a byte, the lowest first, so most take one byte; a text or byte
 * array is its length followed by its contents. There are no tags: the reader must know what was
 * written.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class PackedWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Returns everything written so far. The writer is empty afterwards and reuses its memory. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Requires a safe non-negative integer. */
  number(value: number): void {
    this.#reserve(8);
    let rest = value;
    const bytes = this.#bytes;
    let at = this.#length;
    for (; rest > 0x3fffffff; rest = Math.floor(rest / 128)) bytes[at++] = (rest % 128) | 128;
    // The rest has 30 bits and can be shifted.
    for (; rest >= 128; rest >>= 7) bytes[at++] = (rest & 127) | 128;
    bytes[at++] = rest;
    this.#length = at;
  }

  /** Any 32 bits. */
  word(value: number): void {
    this.#reserve(4);
    const bytes = this.#bytes;
    const at = this.#length;
    bytes[at] = value;
    bytes[at + 1] = value >>> 8;
    bytes[at + 2] = value >>> 16;
    bytes[at + 3] = value >>> 24;
    this.#length = at + 4;
  }

  /** Twice 32 bits. */
  words(first: number, second: number): void {
    this.#reserve(8);
    const bytes = this.#bytes;
    const at = this.#length;
    bytes[at] = first;
    bytes[at + 1] = first >>> 8;
    bytes[at + 2] = first >>> 16;
    bytes[at + 3] = first >>> 24;
    bytes[at + 4] = second;
    bytes[at + 5] = second >>> 8;
    bytes[at + 6] = second >>> 16;
    bytes[at + 7] = second >>> 24;
    this.#length = at + 8;
  }

  text(value: string): void {
    if (value === '') this.byte(0);
    else this.bytes(encoder.encode(value));
  }

  bytes(value: Uint8Array): void {
    this.number(value.length);
    this.#reserve(value.length);
    // A call of `set` takes longer than copying the few bytes that most values have.
    if (value.length > 64) this.#bytes.set(value, this.#length);
    else for (let i = 0; i < value.length; i++) this.#bytes[this.#length + i] = value[i]!;
    this.#length += value.length;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const longer = new Uint8Array(2 * this.#bytes.length + more);
    longer.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = longer;
  }
}

/** Reads the output of a `PackedWriter`. Throws RangeError beyond the end. */
export class PackedReader {
  #at = 0;

  constructor(private readonly all: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.#at >= this.all.length;
  }

  byte(): number {
    if (this.#at >= this.all.length) throw new RangeError('past the end');
    return this.all[this.#at++]!;
  }

  number(): number {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.byte();
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
  }

  /** A signed number. */
  word(): number {
    const low = this.byte() | (this.byte() << 8);
    return low | (this.byte() << 16) | (this.byte() << 24);
  }

  text(): string {
    return decoder.decode(this.bytes());
  }

  /** A view of the bytes. */
  bytes(): Uint8Array {
    const length = this.number();
    if (this.#at + length > this.all.length) throw new RangeError('past the end');
    this.#at += length;
    return this.all.subarray(this.#at - length, this.#at);
  }
}
