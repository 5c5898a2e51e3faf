/**
 * Data-layout arithmetic: how many bytes a type takes and where its parts are, as clang's target
 * lays it out.
 *
 * A data layout string such as `e-m:e-p:64:64-i64:64-i128:128-n32:64-S128` overrides LLVM's
 * defaults part by part. Three sizes must be kept apart:
 *
 * ```
 *   i37         bits 37 | store 5 bytes | alloc 8 bytes     what the value has | what a store touches |
 *   x86_fp80    bits 80 | store 10      | alloc 16          the distance of two in an array
 * ```
 *
 * **Invariants**: sizes and offsets are in bytes unless the name says bits; an alignment is a power
 * of two; `allocBytes` is `storeBytes` rounded up to the alignment.
 */
import { assert } from '../support/assert.js';
import { signedValue } from './constants.js';
import type { Value } from './model.js';
import { i32, type StructType, type Type } from './types.js';

export interface StructLayout {
  readonly bytes: number;
  readonly align: number;
  /** The offset of each element from the beginning. */
  readonly offsets: readonly number[];
}

/** The address that a getelementptr computes: base + constant + the sum of index * stride. */
export interface GepSteps {
  readonly constantBytes: bigint;
  readonly scaled: readonly { readonly index: Value; readonly strideBytes: number }[];
}

interface PointerSpec {
  readonly bits: number;
  readonly align: number;
}

export class DataLayout {
  readonly littleEndian: boolean = true;
  readonly #pointers = new Map<number, PointerSpec>([[0, { bits: 64, align: 8 }]]);
  /** Alignment in bytes by the width in bits. */
  readonly #integers = new Map<number, number>([
    [1, 1],
    [8, 1],
    [16, 2],
    [32, 4],
    [64, 4],
  ]);
  readonly #floats = new Map<number, number>([
    [16, 2],
    [32, 4],
    [64, 8],
    [128, 16],
  ]);
  readonly #vectors = new Map<number, number>([
    [64, 8],
    [128, 16],
  ]);
  readonly #structs = new Map<StructType, StructLayout>();
  #integerWidths: number[] = [];
  #aggregateAlign = 1;
  /** The alignment of the stack (`S128`), in bytes; 0 when it is not given. */
  readonly stackAlign: number = 0;
  /** Where `alloca` allocates (`A5`). */
  readonly allocaAddressSpace: number = 0;

  /** Parts that do not concern sizes (mangling, native widths) are ignored. */
  constructor(description = '') {
    for (const part of description.split('-')) {
      // Missing parts are 0, not NaN: V8 would otherwise store all these numbers as heap numbers.
      const numbers = part
        .slice(1)
        .split(':')
        .map(text => Number.parseInt(text, 10) || 0);
      const [first = 0, second = 0, third = 0] = numbers;
      switch (part[0]) {
        case 'E':
          this.littleEndian = false;
          break;
        case 'p':
          this.#pointers.set(first, { bits: second, align: third / 8 });
          break;
        case 'i':
          this.#integers.set(first, second / 8);
          break;
        case 'f':
          this.#floats.set(first, second / 8);
          break;
        case 'v':
          this.#vectors.set(first, second / 8);
          break;
        case 'a':
          this.#aggregateAlign = Math.max(1, (first || second) / 8);
          break;
        case 'S':
          this.stackAlign = first / 8;
          break;
        case 'A':
          this.allocaAddressSpace = first;
          break;
      }
    }
    this.#integerWidths = [...this.#integers.keys()].sort((a, b) => a - b);
  }

  /** LLVM lets an address space without its own entry follow address space 0. */
  #pointer(addressSpace: number): PointerSpec {
    return this.#pointers.get(addressSpace) ?? this.#pointers.get(0)!;
  }

  pointerBits(addressSpace = 0): number {
    return this.#pointer(addressSpace).bits;
  }

  /** The width of the value itself. Requires a type that memory can hold. */
  bits(type: Type): number {
    switch (type.kind) {
      case 'integer':
      case 'float':
        return type.bits;
      case 'pointer':
        return this.pointerBits(type.addressSpace);
      case 'vector':
        return type.length * this.bits(type.element);
      case 'array':
        return type.length * this.allocBytes(type.element) * 8;
      case 'struct':
        return this.structLayout(type).bytes * 8;
      case 'target':
        return 0;
      case 'void':
      case 'function':
      case 'label':
      case 'metadata':
      case 'token':
        assert(false, `a ${type.kind} has no size`);
    }
  }

  /** The number of bytes that a load or store of this type accesses. */
  storeBytes(type: Type): number {
    return roundUp(this.bits(type), 8) / 8;
  }

  /** The distance of two elements of this type in an array. */
  allocBytes(type: Type): number {
    return roundUp(this.storeBytes(type), this.align(type));
  }

  /**
   * The offsets of the variable arguments of a call in their buffer, and its size. Numbers of less
   * than 32 bits, which only structures of one member are passed as, take 32 bits, because the code
   * generator widens them.
   */
  variadicPlaces(types: readonly Type[]): { readonly places: readonly number[]; readonly bytes: number } {
    let bytes = 0;
    const places = types.map(type => {
      const slot = type.kind === 'integer' && type.bits < 32 ? i32 : type;
      const place = roundUp(bytes, this.align(slot));
      bytes = place + this.allocBytes(slot);
      return place;
    });
    return { places, bytes };
  }

  /** The alignment that the ABI requires, in bytes. */
  align(type: Type): number {
    switch (type.kind) {
      case 'integer':
        return this.#integerAlign(type.bits);
      case 'float':
        return this.#floats.get(type.bits) ?? powerOfTwoAtLeast(type.bits / 8);
      case 'pointer':
        return this.#pointer(type.addressSpace).align;
      case 'vector':
        return this.#vectors.get(this.bits(type)) ?? powerOfTwoAtLeast(this.storeBytes(type));
      case 'array':
        return this.align(type.element);
      case 'struct':
        return this.structLayout(type).align;
      case 'void':
      case 'function':
      case 'label':
      case 'metadata':
      case 'token':
      case 'target':
        return 1;
    }
  }

  /** A width that is not listed has the alignment of the next wider one, or of the widest. */
  #integerAlign(bits: number): number {
    const width = this.#integerWidths.find(candidate => candidate >= bits) ?? this.#integerWidths.at(-1)!;
    return this.#integers.get(width)!;
  }

  structLayout(type: StructType): StructLayout {
    const known = this.#structs.get(type);
    if (known !== undefined) return known;
    assert(type.elements !== undefined, `the opaque struct ${type.name} has no size`);
    const offsets: number[] = [];
    let end = 0;
    let align = type.packed ? 1 : this.#aggregateAlign;
    for (const element of type.elements) {
      const elementAlign = type.packed ? 1 : this.align(element);
      const offset = roundUp(end, elementAlign);
      offsets.push(offset);
      end = offset + this.allocBytes(element);
      align = Math.max(align, elementAlign);
    }
    const layout: StructLayout = { bytes: roundUp(end, align), align, offsets };
    this.#structs.set(type, layout);
    return layout;
  }

  /** The distance from the base that the indices of a getelementptr add up to. */
  gepSteps(sourceType: Type, indices: readonly Value[]): GepSteps {
    const scaled: { index: Value; strideBytes: number }[] = [];
    let constantBytes = 0n;
    let type = sourceType;
    indices.forEach((index, position) => {
      if (position > 0 && type.kind === 'struct') {
        const element = Number(index.kind === 'integer' ? index.value : -1n);
        const offset = this.structLayout(type).offsets[element];
        const next = type.elements?.[element];
        assert(offset !== undefined && next !== undefined, 'an index into a struct is a constant within it');
        constantBytes += BigInt(offset);
        type = next;
        return;
      }
      if (position > 0) {
        assert(type.kind === 'array' || type.kind === 'vector', 'an index needs something to step into');
        type = type.element;
      }
      const strideBytes = this.allocBytes(type);
      if (index.kind === 'integer') constantBytes += signedValue(index) * BigInt(strideBytes);
      else scaled.push({ index, strideBytes });
    });
    return { constantBytes, scaled };
  }
}

/** Uses the remainder: `Math.ceil` makes V8 allocate a heap number, even for a small integer. */
function roundUp(value: number, align: number): number {
  const over = value % align;
  return over === 0 ? value : value + align - over;
}

function powerOfTwoAtLeast(value: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, value)));
}
