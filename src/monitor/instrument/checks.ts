/**
 * The check before an access: one load of a tag word and one comparison, inline; all else in the slow path.
 *
 * ```
 *   lo    = low half of the pointer                    its address
 *   word  = tags[granule of lo]
 *   want  = ~(high half)                               for a store, with bit 30 set: constants never match
 *   word == want, or call the slow path
 * ```
 *
 * The address of the tag word of a granule is `tags + (lo >> 3) * 4`. For accesses of 2, 4 and 8 bytes it is computed with a
 * rotation instead of a shift, at the same price: the bits that are zero in an aligned address land where they make the
 * tag's address wrong, so a misaligned access always takes the slow path, which looks at both of its granules.
 *
 * ```
 *   8 bytes:  rotr(lo, 1)            low bits set: the word read is made of two halves
 *   4 bytes:  rotr(lo, 1) & ~2       bit 31 set: 2 GiB further up, where nothing lies
 *   2 bytes:  rotr(lo, 1) & ~3
 * ```
 *
 * An access that is not known to be aligned compares the words of its first and its last byte.
 *
 * In the mode of the shadow alone the condition is that of AddressSanitizer: the shadow byte of the granule is 0. What is not 0 (a granule
 * that belongs to a block in part) is settled in the slow path.
 */
import type { Builder } from '../../ir/builder.js';
import { makeFunction } from '../../ir/builder.js';
import { integerConstant } from '../../ir/constants.js';
import { type Constant, Flag, type IrFunction, type Module, type Value } from '../../ir/model.js';
import { functionType, i8, i32, i64, ptr } from '../../ir/types.js';
import { constantBit, shadowStart, tagsStart } from '../memory-map.js';
import { type InstrumentOptions, isShadowAlone } from './options.js';

export interface CheckedAccess {
  readonly pointer: Value;
  readonly bytes: number;
  readonly align: number;
  readonly isStore: boolean;
}

/** Larger accesses are left to the slow path altogether. */
const largestInline = 16;

export class CheckBuilder {
  #rotate: IrFunction | undefined;

  constructor(
    private readonly module: Module,
    private readonly options: InstrumentOptions,
  ) {}

  /** A condition that implies that the access is right, or undefined when only the slow path can tell. */
  fastCondition(builder: Builder, access: CheckedAccess): Value | undefined {
    const { pointer, bytes, align, isStore } = access;
    if (bytes > largestInline) return undefined;
    if (isShadowAlone(this.options)) return shadowIsZero(builder, access);
    const whole = builder.cast('ptrtoint', pointer, i64);
    const low = builder.cast('trunc', whole, i32);
    const high = builder.cast('trunc', builder.binary('lshr', whole, integerConstant(i64, 32)), i32);
    const complement = builder.binary('xor', high, integerConstant(i32, 0xffff_ffff));
    const want = isStore ? builder.binary('or', complement, integerConstant(i32, constantBit)) : complement;
    const aligned = align >= Math.min(bytes, 8);
    if (aligned && bytes === 16) return this.#pairMatches(builder, low, want);
    if (aligned && (bytes === 2 || bytes === 4 || bytes === 8)) {
      const rotated = this.#rotated(builder, low);
      return this.#wordMatches(
        builder,
        bytes === 8 ? rotated : masked(builder, rotated, bytes === 4 ? ~2 : ~3),
        want,
      );
    }
    const first = this.#wordMatches(builder, this.#granuleOffset(builder, low), want);
    if (bytes === 1) return first;
    const last = builder.binary('add', low, integerConstant(i32, bytes - 1));
    return builder.binary('and', first, this.#wordMatches(builder, this.#granuleOffset(builder, last), want));
  }

  #wordMatches(builder: Builder, offset: Value, want: Value): Value {
    return builder.icmp('eq', builder.load(i32, tagAddress(builder, offset), { align: 1 }), want);
  }

  /** Two neighbouring words at once. */
  #pairMatches(builder: Builder, low: Value, want: Value): Value {
    const pair = builder.load(i64, tagAddress(builder, this.#rotated(builder, low)), { align: 1 });
    const wide = builder.cast('zext', want, i64);
    const both = builder.binary('or', wide, builder.binary('shl', wide, integerConstant(i64, 32)));
    return builder.icmp('eq', pair, both);
  }

  #granuleOffset(builder: Builder, low: Value): Value {
    return masked(builder, builder.binary('lshr', low, integerConstant(i32, 1)), ~3);
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
  return builder.binary('and', value, integerConstant(i32, mask >>> 0));
}

/** The bytes of shadow of the first and of the last granule. */
function shadowIsZero(builder: Builder, { pointer, bytes, align }: CheckedAccess): Value {
  const low = builder.cast('trunc', builder.cast('ptrtoint', pointer, i64), i32);
  const byteAt = (address: Value): Value => {
    const granule = builder.cast('zext', builder.binary('lshr', address, integerConstant(i32, 3)), i64);
    const place = builder.gep(i8, shadow, [granule], undefined, Flag.nuw | Flag.nusw);
    return builder.load(i8, place, { align: 1 });
  };
  const first = byteAt(low);
  if (bytes === 1 || (bytes <= 8 && align >= bytes)) return builder.icmp('eq', first, integerConstant(i8, 0));
  const last = byteAt(builder.binary('add', low, integerConstant(i32, bytes - 1)));
  return builder.icmp('eq', builder.binary('or', first, last), integerConstant(i8, 0));
}

/** The constant goes into the offset of the wasm instruction, since the sum is known not to wrap around. */
function tagAddress(builder: Builder, offset: Value): Value {
  return builder.gep(i8, tags, [builder.cast('zext', offset, i64)], undefined, Flag.nuw | Flag.nusw);
}

const tags: Constant = pointerTo(tagsStart);
const shadow: Constant = pointerTo(shadowStart);

function pointerTo(address: number): Constant {
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
