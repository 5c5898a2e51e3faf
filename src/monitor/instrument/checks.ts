/**
 * The check before an access: one load of a tag word and one comparison, inline; all else in the
 * slow path.
 *
 * ```
 *   want  = (pointer >> 30) + 2^30                     its number, and where its address leaves client memory
 *   word  = tags[granule of the address]               zero-extended for a load, sign-extended for a store
 *   word == want, or call the slow path
 * ```
 *
 * `runtime/monitor/shadow.h` shows why exactly the valid pointers pass: the comparison has 64 bits,
 * of which tag words fill 32.
 *
 * With `lo` for the lower half of the pointer, the address of the tag word of a granule is `tags +
 * (lo >> 3) * 4`. For accesses of 2, 4 and 8 bytes it is computed with a rotation instead of a
 * shift, at the same price: the bits that are zero in an aligned address are rotated to a position
 * where they make the tag's address wrong, so a misaligned access takes the slow path, which checks
 * both of its granules.
 *
 * ```
 *   8 bytes:  rotr(lo, 1) & 0x9fff_ffff    low bits set: the word read is made of two words
 *   4 bytes:  rotr(lo, 1) & 0x9fff_fffd    bit 31 set: 2 GiB further up, where nothing lies
 *   2 bytes:  rotr(lo, 1) & 0x9fff_fffc
 * ```
 *
 * The mask drops the bits of an address outside client memory, which `want` contains. So only
 * tag words are ever read, and no word beyond the end of memory, which would trap.
 *
 * A word made of two words of one block, or of a block and what is around it, equals no word of
 * that block unless both are plain (`pointers.long.test.ts` tries all numbers). Two other blocks
 * can have words that make up the expected one, as two globals can have the same number: a chance
 * in 2^27 for a pointer that is wrong and misaligned.
 *
 * An access that is not known to be aligned compares the words of its first and its last byte, and
 * of its ninth if it is that long.
 *
 * In the mode with the shadow alone the condition is that of AddressSanitizer: the shadow byte of
 * the granule is 0. The slow path handles all other values, such as a granule that belongs to a
 * block in part.
 */
import type { Builder } from '../../ir/builder.js';
import { makeFunction } from '../../ir/builder.js';
import { integerConstant } from '../../ir/constants.js';
import { type Constant, Flag, type IrFunction, type Module, type Value } from '../../ir/model.js';
import { functionType, i8, i32, i64, ptr } from '../../ir/types.js';
import {
  clientEnd,
  constantBit,
  initStart,
  mustBeAligned,
  plainWords,
  shadowStart,
  tagsStart,
} from '../memory-map.js';
import { type InstrumentOptions, isShadowAlone } from './options.js';

export interface CheckedAccess {
  readonly pointer: Value;
  readonly bytes: number;
  readonly align: number;
  readonly isStore: boolean;
}

const alignedMasks = { 2: 0x9fff_fffc, 4: 0x9fff_fffd, 8: 0x9fff_ffff } as const;

/**
 * An access in the encoding of slow paths and windows: its size, and whether its address must be a
 * multiple of it. The inline check takes the slow path for a misaligned one.
 */
export function accessWord(
  { bytes, align }: Pick<CheckedAccess, 'bytes' | 'align'>,
  { alignment }: InstrumentOptions,
): Constant {
  const isNatural = align >= bytes && (bytes === 2 || bytes === 4 || bytes === 8);
  return integerConstant(i32, alignment && isNatural ? bytes + mustBeAligned : bytes);
}

/** Larger accesses are checked in the slow path only. */
const largestInline = 16;

export class CheckBuilder {
  #rotate: IrFunction | undefined;

  constructor(
    private readonly module: Module,
    private readonly options: InstrumentOptions,
  ) {}

  /**
   * A condition that implies that the access is valid, or undefined if only the slow path can
   * decide.
   */
  fastCondition(builder: Builder, access: CheckedAccess): Value | undefined {
    const { pointer, bytes, align, isStore } = access;
    if (bytes > largestInline) return undefined;
    if (isShadowAlone(this.options)) return shadowIsZero(builder, access);
    const whole = builder.cast('ptrtoint', pointer, i64);
    const low = builder.cast('trunc', whole, i32);
    const numberAndRange = builder.binary('lshr', whole, integerConstant(i64, 30));
    const want = builder.binary('add', numberAndRange, integerConstant(i64, plainWords));
    const matches = (offset: Value): Value => {
      const word = builder.load(i32, tagAddress(builder, offset), { align: 1 });
      return builder.icmp('eq', builder.cast(isStore ? 'sext' : 'zext', word, i64), want);
    };
    if (align >= bytes && (bytes === 2 || bytes === 4 || bytes === 8))
      return matches(masked(builder, this.#rotated(builder, low), alignedMasks[bytes]));
    const matchesAt = (index: number): Value => {
      const address = index === 0 ? low : builder.binary('add', low, integerConstant(i32, index));
      return matches(this.#granuleOffset(builder, address));
    };
    const first = matchesAt(0);
    if (bytes === 1) return first;
    const ends = builder.binary('and', first, matchesAt(bytes - 1));
    return bytes <= 8 ? ends : builder.binary('and', ends, matchesAt(8));
  }

  /**
   * For the case that the condition above does not hold: whether the granule is accessible, is not
   * that of a constant if it is written, and the bytes of the access are initialised already. For
   * aligned accesses of 1, 2 and 4 bytes. `is_written` of `runtime/monitor/check.c` is the same.
   *
   * ```
   *   d = word ^ ((pointer >> 30) + 2)      0 if the word is the special one of the number; 2^30 + 1 for a constant
   *   (d ^ (d >> 30)) & ~2^30               0 in these two cases
   *   lo & (0xc000_0000 + bytes - 1)        0 if the address is in client memory, and aligned
   *   ~(init[lo >> 3] >> (lo & 7)) & mask   0 if the bytes are accessible and initialised
   * ```
   */
  writtenCondition(builder: Builder, { pointer, bytes, isStore }: CheckedAccess): Value {
    const whole = builder.cast('ptrtoint', pointer, i64);
    const low = builder.cast('trunc', whole, i32);
    const numberAndRange = builder.binary('lshr', whole, integerConstant(i64, 30));
    const special = builder.binary('add', numberAndRange, integerConstant(i64, 2));
    const offset = bytes === 1 ? this.#granuleOffset(builder, low) : undefined;
    const mask = alignedMasks[bytes as keyof typeof alignedMasks];
    const tag = tagAddress(builder, offset ?? masked(builder, this.#rotated(builder, low), mask));
    const word = builder.cast('zext', builder.load(i32, tag, { align: 1 }), i64);
    const granule = builder.cast('zext', builder.binary('lshr', low, integerConstant(i32, 3)), i64);
    const place = builder.gep(i8, init, [granule], undefined, Flag.nuw | Flag.nusw);
    const written = builder.cast('zext', builder.load(i8, place, { align: 1 }), i32);
    const from = builder.binary('lshr', written, masked(builder, low, 7));
    const missing = masked(builder, builder.binary('xor', from, integerConstant(i32, -1)), 2 ** bytes - 1);
    const isElsewhere = masked(builder, low, clientEnd * 3 + bytes - 1);
    const wrong = builder.cast('zext', builder.binary('or', missing, isElsewhere), i64);
    let different: Value = builder.binary('xor', word, special);
    if (!isStore) {
      const moved = builder.binary('lshr', different, integerConstant(i64, 30));
      const either = builder.binary('xor', different, moved);
      different = builder.binary('and', either, integerConstant(i64, ~(1n << 30n)));
    }
    return builder.icmp('eq', builder.binary('or', different, wrong), integerConstant(i64, 0));
  }

  /**
   * Whether a pointer through which bytes were read may be used to write them: it has a number, and
   * not that of a constant.
   */
  isWritable(builder: Builder, pointer: Value): Value {
    const number = builder.binary('lshr', builder.cast('ptrtoint', pointer, i64), integerConstant(i64, 32));
    const before = builder.binary('sub', number, integerConstant(i64, 1));
    return builder.icmp('ult', before, integerConstant(i64, constantBit - 1));
  }

  #granuleOffset(builder: Builder, low: Value): Value {
    return masked(builder, builder.binary('lshr', low, integerConstant(i32, 1)), 0x1fff_fffc);
  }

  #rotated(builder: Builder, low: Value): Value {
    if (this.#rotate === undefined) {
      const name = 'llvm.fshr.i32';
      this.#rotate =
        this.module.functions.find(known => known.name === name) ??
        makeFunction(name, functionType(i32, [i32, i32, i32]));
      if (!this.module.functions.includes(this.#rotate)) this.module.functions.push(this.#rotate);
    }
    return builder.call(this.#rotate, [low, low, integerConstant(i32, 1)]);
  }
}

function masked(builder: Builder, value: Value, mask: number): Value {
  return builder.binary('and', value, integerConstant(i32, mask));
}

/** The shadow bytes of the first and the last granule. */
function shadowIsZero(builder: Builder, { pointer, bytes, align }: CheckedAccess): Value {
  const low = builder.cast('trunc', builder.cast('ptrtoint', pointer, i64), i32);
  const byteAt = (address: Value): Value => {
    const granule = builder.cast('zext', builder.binary('lshr', address, integerConstant(i32, 3)), i64);
    const place = builder.gep(i8, shadow, [granule], undefined, Flag.nuw | Flag.nusw);
    return builder.load(i8, place, { align: 1 });
  };
  // The memory after the shadow of client memory belongs to other tables.
  const outside = builder.binary('lshr', low, integerConstant(i32, 30));
  const isZero = (byte: Value): Value => {
    const both = builder.binary('or', builder.cast('zext', byte, i32), outside);
    return builder.icmp('eq', both, integerConstant(i32, 0));
  };
  const first = byteAt(low);
  if (bytes === 1 || (bytes <= 8 && align >= bytes)) return isZero(first);
  const last = byteAt(builder.binary('add', low, integerConstant(i32, bytes - 1)));
  return isZero(builder.binary('or', first, last));
}

/**
 * The constant becomes the offset of the wasm instruction, because the sum is known not to wrap
 * around.
 */
function tagAddress(builder: Builder, offset: Value): Value {
  return builder.gep(i8, tags, [builder.cast('zext', offset, i64)], undefined, Flag.nuw | Flag.nusw);
}

const tags: Constant = pointerTo(tagsStart);
const shadow: Constant = pointerTo(shadowStart);
const init: Constant = pointerTo(initStart);

export function pointerTo(address: number): Constant {
  return {
    kind: 'expression',
    op: 'inttoptr',
    type: ptr,
    operands: [integerConstant(i64, address)],
    flags: 0,
    sourceType: undefined,
    inRange: undefined,
  };
}
