/**
 * Reading and writing the bytes of a wasm binary: a cursor over a byte array, a growing byte array,
 * and the variable-length integers (LEB128: seven bits a byte, least significant first, the top bit
 * says "more").
 *
 * Invariants: a reader never leaves its bytes; running off the end or a too long integer is an
 * InternalError, because the binaries we read come from our own linker.
 */
import { assert } from '../support/assert.js';

export class ByteReader {
  readonly bytes: Uint8Array;
  position: number;
  readonly end: number;

  constructor(bytes: Uint8Array, position = 0, end: number = bytes.length) {
    this.bytes = bytes;
    this.position = position;
    this.end = end;
  }

  get done(): boolean {
    return this.position >= this.end;
  }

  byte(): number {
    if (this.position >= this.end) this.endsEarly();
    return this.bytes[this.position++]!;
  }

  skip(byteCount: number): void {
    if (this.end - this.position < byteCount) this.endsEarly();
    this.position += byteCount;
  }

  /** An unsigned integer of at most 32 bits. */
  u32(): number {
    let result = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      result |= (byte & 0x7f) << shift;
      if (byte < 0x80) return result >>> 0;
    }
    return this.tooLong();
  }

  /** The low 32 bits of an unsigned integer of at most 64 bits. */
  u64Low32(): number {
    let result = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.byte();
      if (shift < 32) result |= (byte & 0x7f) << shift;
      if (byte < 0x80) return result >>> 0;
    }
    return this.tooLong();
  }

  /** The low 32 bits of a signed integer of at most 64 bits, as a signed number. */
  s64Low32(): number {
    let result = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.byte();
      if (shift < 32) result |= (byte & 0x7f) << shift;
      if (byte < 0x80) return shift + 7 < 32 && (byte & 0x40) !== 0 ? result | (-1 << (shift + 7)) : result;
    }
    return this.tooLong();
  }

  /** An unsigned integer of at most 64 bits. */
  u64(): bigint {
    let result = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      result |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return result;
    }
    return this.tooLong();
  }

  skipLeb(): void {
    for (let length = 1; length <= 10; length++) if (this.byte() < 0x80) return;
    this.tooLong();
  }

  /** A byte count and that many bytes. */
  name(): string {
    const length = this.u32();
    const start = this.position;
    this.skip(length);
    return new TextDecoder().decode(this.bytes.subarray(start, this.position));
  }

  /** Apart, because a message that is made for each byte takes longer than all else. */
  private endsEarly(): never {
    assert(false, `the wasm binary ends early, at byte ${this.position}`);
  }

  private tooLong(): never {
    assert(false, `an integer of the wasm binary is too long, before byte ${this.position}`);
  }
}

export class ByteWriter {
  private buffer: Uint8Array;
  length = 0;

  constructor(capacity = 1024) {
    this.buffer = new Uint8Array(capacity);
  }

  /** What was written; valid until the next write. */
  get bytes(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  byte(value: number): void {
    if (this.length === this.buffer.length) this.grow(1);
    this.buffer[this.length++] = value;
  }

  u32(value: number): void {
    let rest = value >>> 0;
    for (; rest >= 0x80; rest >>>= 7) this.byte((rest & 0x7f) | 0x80);
    this.byte(rest);
  }

  s32(value: number): void {
    let rest = value | 0;
    for (; rest < -0x40 || rest >= 0x40; rest >>= 7) this.byte((rest & 0x7f) | 0x80);
    this.byte(rest & 0x7f);
  }

  append(bytes: Uint8Array, from = 0, to: number = bytes.length): void {
    const count = to - from;
    if (this.length + count > this.buffer.length) this.grow(count);
    if (count < 32) {
      // Most pieces are a few instructions; a loop beats the set-up cost of `subarray` and `set`.
      for (let i = from, out = this.length; i < to; i++, out++) this.buffer[out] = bytes[i]!;
    } else {
      this.buffer.set(bytes.subarray(from, to), this.length);
    }
    this.length += count;
  }

  /** A byte count and the bytes. */
  sized(bytes: Uint8Array): void {
    this.u32(bytes.length);
    this.append(bytes);
  }

  private grow(atLeast: number): void {
    const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.length + atLeast));
    larger.set(this.bytes);
    this.buffer = larger;
  }
}
