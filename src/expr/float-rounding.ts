/**
 * Rounding to a float, and the conversions that consist of it.
 *
 * Every operation computes an exact number with a sticky bit, and `rounded` makes a float of it:
 *
 *     exponent      of the top bit of the significand, with the bias, signed, wider than a float has it
 *     significand   1xxxxxxxxxxx x xxxxxs      s: one if the exact number has any bit beyond
 *                   └ kept ─────┘ │ └ rest
 *                                 half
 *
 *     1. an exponent below 1 is a subnormal number: shift right until it is 1, no bit forgotten
 *        (`shiftRightSticky`)
 *     2. a significand that begins with zeros is shifted left, while the exponent stays at least 1
 *     3. add one to the kept bits if half is set and anything below it, or the last kept bit, is
 *        too
 *     4. exponent - 1 above the kept bits *plus* their top bit: a carry of the rounding runs into
 *        the exponent, up to infinity
 *
 * **Invariant.** A significand of zero gives zero, whatever the exponent.
 */
import {
  exponentOf,
  type FloatFormat,
  fractionOf,
  infinity,
  isInfinite,
  isNoNumber,
  magnitudeOf,
  signOf,
} from './float-terms.js';
import type { Term } from './term.js';
import type { Terms } from './terms.js';

/**
 * The bits of an exponent during a computation: those of products and subnormal numbers exceed the
 * format.
 */
export function wideExponentBits({ exponentBits }: FloatFormat): number {
  return exponentBits + 3;
}

/** A number as `rounded` takes it. */
export interface Unrounded {
  readonly sign: Term;
  readonly exponent: Term;
  readonly significand: Term;
}

/**
 * Sign, exponent and significand with its top bit, which is zero for subnormal numbers. Meaningless
 * for infinity and NaN.
 */
export function unpack(t: Terms, format: FloatFormat, x: Term): Unrounded {
  const { exponentBits } = format;
  const field = exponentOf(t, format, x);
  const isNormal = t.ne(field, t.constant(exponentBits, 0));
  const exponent = t.ite(isNormal, field, t.constant(exponentBits, 1));
  return {
    sign: signOf(t, x),
    exponent: t.zext(exponent, wideExponentBits(format)),
    significand: t.concat(isNormal, fractionOf(t, format, x)),
  };
}

export function rounded(t: Terms, format: FloatFormat, exact: Unrounded): Term {
  const { bits, exponentBits, fractionBits } = format;
  const one = t.constant(exact.exponent.width, 1);
  const { sign, exponent, significand } = normalized(t, raised(t, padded(t, format, exact)), one);
  const restBits = significand.width - fractionBits - 1;
  const kept = t.extract(significand, restBits, fractionBits + 1);
  const half = t.extract(significand, restBits - 1, 1);
  const rest = t.extract(significand, 0, restBits - 1);
  const isRestSet = t.ne(rest, t.constant(rest.width, 0));
  const roundsUp = t.and(half, t.or(isRestSet, t.extract(kept, 0, 1)));
  const isNormal = t.extract(kept, fractionBits, 1);
  const field = t.ite(isNormal, t.sub(exponent, one), t.constant(exponent.width, 0));
  const whole = t.add(
    t.add(t.concat(t.extract(field, 0, exponentBits), t.constant(fractionBits, 0)), t.zext(kept, bits - 1)),
    t.zext(roundsUp, bits - 1),
  );
  const isTooLarge = t.and(isNormal, t.sge(exponent, t.constant(exponent.width, 2 ** exponentBits - 1)));
  return t.concat(sign, t.ite(isTooLarge, infinity(t, format), whole));
}

/** Appends zeros, so that there are bits to keep, a half and a rest. */
function padded(t: Terms, { fractionBits }: FloatFormat, exact: Unrounded): Unrounded {
  const missing = fractionBits + 3 - exact.significand.width;
  if (missing <= 0) return exact;
  return { ...exact, significand: t.concat(exact.significand, t.constant(missing, 0)) };
}

/** Shifted right until the exponent is at least 1. */
function raised(t: Terms, { sign, exponent, significand }: Unrounded): Unrounded {
  const one = t.constant(exponent.width, 1);
  const isLow = t.slt(exponent, one);
  const distance = t.ite(isLow, t.sub(one, exponent), t.constant(exponent.width, 0));
  return {
    sign,
    exponent: t.ite(isLow, one, exponent),
    significand: shiftRightSticky(t, significand, distance),
  };
}

/**
 * Shifted left until the top bit is set, or the exponent is `least`, below which it must not be.
 */
export function normalized(t: Terms, { sign, exponent, significand }: Unrounded, least: Term): Unrounded {
  const zeros = t.zext(leadingZeros(t, significand), exponent.width);
  const room = t.sub(exponent, least);
  const distance = t.ite(t.ult(room, zeros), room, zeros);
  return {
    sign,
    exponent: t.sub(exponent, distance),
    significand: t.shl(significand, t.zext(distance, significand.width)),
  };
}

/** How many zeros a term begins with; of zero itself, any number. */
function leadingZeros(t: Terms, x: Term): Term {
  const width = 2 ** Math.ceil(Math.log2(x.width));
  return leadingZerosOf(t, width === x.width ? x : t.concat(x, t.constant(width - x.width, -1)));
}

/** Requires a power of two of bits. The count of one half, below a bit that says which. */
function leadingZerosOf(t: Terms, x: Term): Term {
  const half = x.width / 2;
  const isHighZero = t.eq(t.extract(x, half, half), t.constant(half, 0));
  if (half === 1) return isHighZero;
  const [low, high] = [0, half].map(offset => leadingZerosOf(t, t.extract(x, offset, half)));
  return t.concat(isHighZero, t.ite(isHighZero, low!, high!));
}

/** Shifts right; any lost one bit sets the lowest bit. The distance is unsigned. */
export function shiftRightSticky(t: Terms, significand: Term, distance: Term): Term {
  const { width } = significand;
  const by = distance.width < width ? t.zext(distance, width) : distance;
  const shifted = t.lshr(significand, by);
  const isLost = t.ne(t.shl(shifted, by), significand);
  return t.or(shifted, t.zext(isLost, width));
}

// ------------------------------------------------------------------------------------ conversions

export function floatFromInteger(t: Terms, format: FloatFormat, x: Term, isSigned: boolean): Term {
  const sign = isSigned ? signOf(t, x) : t.false;
  const significand = isSigned ? t.ite(sign, t.neg(x), x) : x;
  const exponent = t.constant(wideExponentBits(format), format.bias + x.width - 1);
  return rounded(t, format, { sign, exponent, significand });
}

/**
 * Float to double and back. A NaN stays a quiet NaN, with as much of its fraction as
 * fits.
 */
export function floatFromFloat(t: Terms, to: FloatFormat, from: FloatFormat, x: Term): Term {
  const exponentBits = Math.max(wideExponentBits(to), wideExponentBits(from));
  const { sign, exponent, significand } = unpack(t, from, x);
  const rebased = t.add(t.zext(exponent, exponentBits), t.constant(exponentBits, to.bias - from.bias));
  const number = rounded(t, to, { sign, exponent: rebased, significand });
  const fraction = fractionOf(t, from, x);
  const less = from.fractionBits - to.fractionBits;
  const resized =
    less > 0 ? t.extract(fraction, less, to.fractionBits) : t.concat(fraction, t.constant(-less, 0));
  const quiet = t.constant(to.fractionBits, 1n << BigInt(to.fractionBits - 1));
  const none = t.concat(t.constant(to.exponentBits, -1), t.or(resized, quiet));
  const magnitude = t.ite(
    isNoNumber(t, from, x),
    none,
    t.ite(isInfinite(t, from, x), infinity(t, to), magnitudeOf(t, number)),
  );
  return t.concat(sign, magnitude);
}

/** The whole part of a number, if it fits into this many bits; otherwise an arbitrary integer. */
export function integerFromFloat(t: Terms, format: FloatFormat, x: Term, width: number): Term {
  const { bias, fractionBits } = format;
  const { sign, exponent, significand } = unpack(t, format, x);
  const places = t.sub(exponent, t.constant(exponent.width, bias));
  const wide = t.zext(significand, fractionBits + Math.max(width, exponent.width));
  // A fraction has a negative number of places, which is huge as an unsigned number, so nothing is
  // left.
  const shifted = t.shl(wide, t.zext(places, wide.width));
  const size = t.extract(shifted, fractionBits, width);
  return t.ite(sign, t.neg(size), size);
}

export type WholeRounding = 'floor' | 'ceil' | 'trunc' | 'even' | 'away';

/**
 * The number rounded to a whole one; `away` is C's `round`: halves go away from zero.
 *
 * A step of the bits of the fraction below the point carries into what is above, exponent included,
 * as in `rounded`:
 *
 *     1.xxxxxx|ffff  +  0.000000|1111   then the f are cleared        to the next whole number away from zero, if there is one
 */
export function floatToWhole(t: Terms, format: FloatFormat, rounding: WholeRounding, x: Term): Term {
  const { bits, bias, fractionBits, exponentBits } = format;
  const magnitude = magnitudeOf(t, x);
  const width = bits - 1;
  const zero = t.constant(width, 0);
  const one = t.constant(width, 1);
  const isNegative = signOf(t, x);
  const places = t.sub(
    t.zext(exponentOf(t, format, x), exponentBits + 1),
    t.constant(exponentBits + 1, bias),
  );
  const below = t.lshr(t.constant(width, (1n << BigInt(fractionBits)) - 1n), t.zext(places, width));
  const half = t.lshr(t.add(below, one), one);
  // At 1.x the last whole bit is not stored; the exponent, which is odd then, has one in its place.
  const lastWhole = t.zext(t.ne(t.and(magnitude, t.add(below, one)), zero), width);
  const steps: Record<WholeRounding, Term> = {
    trunc: zero,
    floor: t.ite(isNegative, below, zero),
    ceil: t.ite(isNegative, zero, below),
    away: half,
    even: t.add(t.sub(half, one), lastWhole),
  };
  const numberOne = t.constant(width, BigInt(bias) << BigInt(fractionBits));
  const numberHalf = t.constant(width, BigInt(bias - 1) << BigInt(fractionBits));
  const becomesOne: Record<WholeRounding, Term> = {
    trunc: t.false,
    floor: t.and(isNegative, t.ne(magnitude, zero)),
    ceil: t.and(t.not(isNegative), t.ne(magnitude, zero)),
    away: t.uge(magnitude, numberHalf),
    even: t.ugt(magnitude, numberHalf),
  };
  const isWhole = t.uge(magnitude, t.constant(width, BigInt(bias + fractionBits) << BigInt(fractionBits)));
  const isSmall = t.ult(magnitude, numberOne);
  const stepped = t.and(t.add(magnitude, steps[rounding]), t.not(below));
  const small = t.ite(becomesOne[rounding], numberOne, zero);
  return t.concat(isNegative, t.ite(isWhole, magnitude, t.ite(isSmall, small, stepped)));
}
