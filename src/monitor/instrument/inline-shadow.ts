/**
 * The shadows of plug-ins in compiled code: conditions on the cells of an access are evaluated, and
 * cells are set, without leaving WebAssembly.
 *
 * A shadow has a directory with a word for each 64 KiB of client memory: the distance of the page
 * with its cells from the first page. 0 is the first page itself, in which all cells are always 0;
 * so reading needs no special case for memory whose cells were never set. A condition that does not
 * hold for such cells is not evaluated there.
 *
 * ```
 *   page = directory[address >> 16]                       (address below 1 GiB)
 *   cell = pages + page + (address & 0xffff) * bits / 8   per byte; a granule has an eighth of that
 * ```
 *
 * If the shadows of a program have at most 8 bits for a granule together, the pages of each lie in
 * the order of their addresses. Then a cell that is set at every store is found without the
 * directory, whose pages are there from the beginning (record 0310).
 *
 * The cells of an aligned access of 1 to 8 bytes lie side by side and in one page: they are one
 * integer, or two to four for cells of 16 and 32 bits, and each of the four conditions is computed
 * on such integers. For another access of up to 16 bytes it is computed on all cells of the
 * granules that it touches: if none of these passes, no cell of the access does. Otherwise
 * TypeScript decides (`plugins/plugin-host.ts`), as for longer accesses.
 *
 * Loads and stores of cells are volatile, because TypeScript sets cells during calls that the
 * optimiser assumes not to write memory.
 */
import type { Builder } from '../../ir/builder.js';
import { integerConstant } from '../../ir/constants.js';
import { Flag, type Value } from '../../ir/model.js';
import { type IntegerType, i8, i32, i64, integerType, ptr } from '../../ir/types.js';
import type { ConditionTest } from '../../plugins/hook-plan.js';
import type { HookedAccess } from '../../plugins/hook-points.js';
import type { ShadowKind } from '../../plugins/plugin.js';
import { cellBytes } from '../../plugins/plugin-host.js';
import { clientEnd, pluginDirectories, pluginPages } from '../memory-map.js';
import { pointerTo } from './checks.js';

/** The client memory that the cells of a page cover. */
export const pageSpan = 0x1_0000;

/** The size of a directory. */
export const directoryBytes = 0x1_0000;

/** For cells of 32 bits per byte; the first page has this size and holds zeros for all shadows. */
export const zeroPageBytes: number = 4 * pageSpan;

export function bitsOfGranule(kind: ShadowKind): number {
  return (8 / cellBytes(kind)) * kind.bits;
}

/**
 * For each shadow, the distance from the first page at which its pages lie in the order of their
 * addresses; undefined if there is no room for all of them.
 */
export function orderedPages(shadows: readonly ShadowKind[]): readonly (number | undefined)[] {
  const bits = shadows.map(bitsOfGranule);
  if (bits.reduce((sum, each) => sum + each, 0) > 8) return shadows.map(() => undefined);
  let next = zeroPageBytes;
  return bits.map(each => {
    const start = next;
    next += (clientEnd / 64) * each;
    return start;
  });
}

const longestInline = 8;
/** The conditions of longer accesses are evaluated in TypeScript. */
const longestAround = 16;

/** The kind of a shadow as `runtime/monitor/marks.h` encodes it. */
export function kindWord(kind: ShadowKind): number {
  return cellBytes(kind) * 0x100 + kind.bits;
}

type CellAccess = Pick<HookedAccess, 'bytes' | 'align'>;

/** Whether the cells of an access are one integer or several. */
export function isInline({ bytes, align }: CellAccess): boolean {
  return bytes <= longestInline && (bytes & (bytes - 1)) === 0 && align >= bytes;
}

/** Whether a condition on the cells of the granules of an access can be compiled. */
export function hasFewGranules({ bytes }: Pick<CellAccess, 'bytes'>): boolean {
  return bytes <= longestAround;
}

/** The addresses of the granules that an access may touch; two may be equal. */
function granulesOf({ bytes, align }: CellAccess, pointer: Value, builder: Builder): Value[] {
  const address = builder.cast('ptrtoint', pointer, i64);
  const offsets = [0];
  for (let at = 8; at < bytes; at += 8) offsets.push(at);
  if (align < Math.min(bytes, 8)) offsets.push(bytes - 1);
  return offsets.map(offset => {
    const moved = offset === 0 ? address : builder.binary('add', address, integerConstant(i64, offset));
    return builder.cast('inttoptr', builder.binary('and', moved, integerConstant(i64, -8)), ptr);
  });
}

/**
 * The cells of the granules that an access touches: those of the access itself if it is aligned,
 * and some more otherwise.
 */
export function cellsAround(
  builder: Builder,
  shadow: { readonly number: number; readonly kind: ShadowKind },
  access: CellAccess,
  pointer: Value,
): InlineCells[] {
  const { number, kind } = shadow;
  if (isInline(access)) return [new InlineCells(builder, number, kind, access, pointer)];
  const whole = { bytes: longestInline, align: longestInline };
  return granulesOf(access, pointer, builder).map(
    granule => new InlineCells(builder, number, kind, whole, granule),
  );
}

/** Whether one of the cells passes. */
export function somePasses(cells: readonly InlineCells[], test: ConditionTest, builder: Builder): Value {
  return cells
    .map(each => each.passes(test, builder))
    .reduce((one, other) => builder.binary('or', one, other));
}

/** Is 0 if no page was allocated for the cells, which are then all 0. */
export function pagesOf(cells: readonly InlineCells[], builder: Builder): Value {
  return cells.map(({ page }) => page).reduce((one, other) => builder.binary('or', one, other));
}

/** The cells of one access. */
export class InlineCells {
  readonly #low: Value;
  readonly #directory: Value;
  readonly #first: Value;

  constructor(
    private readonly builder: Builder,
    number: number,
    private readonly kind: ShadowKind,
    private readonly access: CellAccess,
    pointer: Value,
  ) {
    this.#low = builder.cast('trunc', builder.cast('ptrtoint', pointer, i64), i32);
    const index = builder.binary('lshr', this.#low, integerConstant(i32, 14));
    const entry = builder.binary('and', index, integerConstant(i32, 0xfffc));
    this.#directory = at(builder, entry, pluginDirectories + number * directoryBytes);
    this.#first = this.loadPage(builder);
  }

  /** The page of the cells; all of them are 0 unless a page was allocated. */
  get page(): Value {
    return this.#first;
  }

  loadPage(builder: Builder): Value {
    return builder.load(i32, this.#directory, { align: 4, volatile: true });
  }

  /** Whether one of the cells passes. */
  passes(test: ConditionTest, builder: Builder = this.builder): Value {
    const { kind } = this;
    const answers = this.#places(this.#first, builder).map((place): Value => {
      const cells = this.#read(place, builder);
      const type = cells.type as IntegerType;
      const width = Math.min(type.bits, this.#bits);
      const all = (value: number): bigint => repeated(value, kind.bits, width);
      const constant = (value: bigint): Value => integerConstant(type, value);
      const ones = (1n << BigInt(width)) - 1n;
      if ('has' in test)
        return builder.icmp('ne', builder.binary('and', cells, constant(all(test.has))), constant(0n));
      if ('lacks' in test) {
        const mask = constant(all(test.lacks));
        return builder.icmp('ne', builder.binary('and', cells, mask), mask);
      }
      if ('isNot' in test) return builder.icmp('ne', cells, constant(all(test.isNot)));
      const value = constant(all(test.is));
      if (width === kind.bits) return builder.icmp('eq', cells, value);
      const apart = builder.binary('xor', cells, value);
      if (kind.bits === 1) return builder.icmp('ne', apart, constant(ones));
      // A zero cell of `apart` borrows from its highest bit.
      const lowest = constant(all(1));
      const highest = constant(all(2 ** (kind.bits - 1)));
      const borrowed = builder.binary('sub', apart, lowest);
      const inverse = builder.binary('xor', apart, constant(ones));
      const zero = builder.binary('and', builder.binary('and', borrowed, inverse), highest);
      return builder.icmp('ne', zero, constant(0n));
    });
    return answers.reduce((one, other) => builder.binary('or', one, other));
  }

  /** Requires a page, unless the value is 0. */
  set(value: number, page: Value): void {
    storeCells(this.builder, this.#places(page, this.builder), this.kind, this.#bits, value);
  }

  get #bits(): number {
    return bitsOfAccess(this.kind, this.access);
  }

  #places(page: Value, builder: Builder): CellPlace[] {
    const within = builder.binary('and', this.#low, integerConstant(i32, pageSpan - 1));
    return placesOf(builder, this.kind, this.#bits, within, (byte, i) =>
      at(builder, builder.binary('add', page, byte), pluginPages + 8 * i),
    );
  }

  #read({ pointer, type, shift }: CellPlace, builder: Builder): Value {
    const whole = builder.load(type, pointer, { align: 1, volatile: true });
    if (shift === undefined) return whole;
    const mask = integerConstant(type, (1 << this.#bits) - 1);
    return builder.binary('and', builder.binary('lshr', whole, shift), mask);
  }
}

/** Sets the cells of an access whose pages are in order from `start` on, and all there. */
export function setOrderedCells(
  builder: Builder,
  start: number,
  kind: ShadowKind,
  access: CellAccess,
  pointer: Value,
  value: number,
): void {
  const low = builder.cast('trunc', builder.cast('ptrtoint', pointer, i64), i32);
  // The address may be a wrong one that was reported.
  const address = builder.binary('and', low, integerConstant(i32, clientEnd - 1));
  const bits = bitsOfAccess(kind, access);
  const places = placesOf(builder, kind, bits, address, (byte, i) =>
    at(builder, byte, pluginPages + start + 8 * i),
  );
  storeCells(builder, places, kind, bits, value);
}

/** An integer with cells of an access; a cell of fewer than 8 bits begins at a bit of it. */
interface CellPlace {
  readonly pointer: Value;
  readonly type: IntegerType;
  readonly shift: Value | undefined;
}

/** The number of bits of all cells of an access. */
function bitsOfAccess(kind: ShadowKind, access: CellAccess): number {
  return kind.per === 'byte' ? access.bytes * kind.bits : kind.bits;
}

/** `address` counts from the memory whose cells begin where `pointerOf` points for 0. */
function placesOf(
  builder: Builder,
  kind: ShadowKind,
  bits: number,
  address: Value,
  pointerOf: (byte: Value, integer: number) => Value,
): CellPlace[] {
  const index = kind.per === 'byte' ? address : builder.binary('lshr', address, integerConstant(i32, 3));
  const bit = builder.binary('mul', index, integerConstant(i32, kind.bits));
  const byte = builder.binary('lshr', bit, integerConstant(i32, 3));
  const shift =
    bits < 8 ? builder.cast('trunc', builder.binary('and', bit, integerConstant(i32, 7)), i8) : undefined;
  const type = integerType(Math.max(8, Math.min(64, bits)));
  const count = Math.max(1, bits / 64);
  return Array.from({ length: count }, (_, i) => ({ pointer: pointerOf(byte, i), type, shift }));
}

function storeCells(
  builder: Builder,
  places: readonly CellPlace[],
  kind: ShadowKind,
  bits: number,
  value: number,
): void {
  for (const { pointer, shift, type } of places) {
    const width = Math.min(type.bits, bits);
    let cells: Value = integerConstant(type, repeated(value, kind.bits, width));
    if (shift !== undefined) {
      const mask = builder.binary('shl', integerConstant(type, (1 << width) - 1), shift);
      const kept = builder.binary(
        'and',
        builder.load(type, pointer, { align: 1, volatile: true }),
        builder.binary('xor', mask, integerConstant(type, 0xff)),
      );
      cells = builder.binary('or', kept, builder.binary('shl', cells, shift));
    }
    builder.store(cells, pointer, { align: 1, volatile: true });
  }
}

/** The constant becomes the offset of the wasm instruction, as the sum does not wrap around. */
function at(builder: Builder, offset: Value, base: number): Value {
  const wide = builder.cast('zext', offset, i64);
  return builder.gep(i8, pointerTo(base), [wide], undefined, Flag.nuw | Flag.nusw);
}

/** Repeats a cell's value in an integer of this many bits. */
function repeated(value: number, bits: number, width: number): bigint {
  const cell = BigInt.asUintN(bits, BigInt(value));
  let all = 0n;
  for (let at = 0; at < width; at += bits) all |= cell << BigInt(at);
  return all;
}
