/**
 * Sums, products, quotients and roots of floats as terms: the schoolbook algorithms in binary, with
 * `rounded` at the end.
 *
 *     sum        the larger magnitude first; the other is shifted right by the difference of the exponents, with three bits more
 *     product    of the significands as integers, twice as wide
 *     quotient   a bit at a time: does the divisor fit into what is left?
 *     root       the same, of the square of what is known so far
 *
 * **Invariant.** Nothing is lost before rounding: bits that do not fit set the lowest one, the
 * sticky bit.
 */
import {
  normalized,
  rounded,
  shiftRightSticky,
  type Unrounded,
  unpack,
  wideExponentBits,
} from './float-rounding.js';
import {
  exponentOf,
  type FloatFormat,
  floatNegate,
  fractionOf,
  infinity,
  isInfinite,
  isNoNumber,
  isZeroFloat,
  magnitudeOf,
  notANumber,
  signOf,
} from './float-terms.js';
import type { Term } from './term.js';
import type { Terms } from './terms.js';

/**
 * Additional bits of the smaller summand: one for the half, one for the rest, and one because the
 * difference may begin with a zero.
 */
const GUARD_BITS = 3;

export function floatAdd(t: Terms, format: FloatFormat, a: Term, b: Term): Term {
  // x + y and y + x are one term.
  return a.id <= b.id ? sumOf(t, format, a, b) : sumOf(t, format, b, a);
}

function sumOf(t: Terms, format: FloatFormat, a: Term, b: Term): Term {
  const isSwapped = t.ult(magnitudeOf(t, a), magnitudeOf(t, b));
  const large = t.ite(isSwapped, b, a);
  const small = t.ite(isSwapped, a, b);
  const areOpposite = t.xor(signOf(t, a), signOf(t, b));
  const none = t.or(
    t.or(isNoNumber(t, format, a), isNoNumber(t, format, b)),
    t.and(t.and(isInfinite(t, format, a), isInfinite(t, format, b)), areOpposite),
  );
  return t.ite(
    none,
    notANumber(t, format),
    t.ite(isInfinite(t, format, large), large, sumOfNumbers(t, format, large, small, areOpposite)),
  );
}

function sumOfNumbers(t: Terms, format: FloatFormat, large: Term, small: Term, areOpposite: Term): Term {
  const [x, y] = [unpack(t, format, large), unpack(t, format, small)];
  const distance = t.sub(x.exponent, y.exponent);
  const guard = t.constant(GUARD_BITS, 0);
  const aligned = shiftRightSticky(t, t.concat(y.significand, guard), distance);
  const width = aligned.width + 1;
  // y or, in two's complement, -y
  const summand = t.add(
    t.xor(t.zext(aligned, width), t.sext(areOpposite, width)),
    t.zext(areOpposite, width),
  );
  const significand = t.add(t.zext(t.concat(x.significand, guard), width), summand);
  // The difference of equal numbers is +0.
  const isZero = t.eq(significand, t.constant(width, 0));
  const sign = t.and(x.sign, t.not(t.and(isZero, areOpposite)));
  const exponent = t.add(x.exponent, t.constant(x.exponent.width, 1));
  return rounded(t, format, { sign, exponent, significand });
}

export function floatSubtract(t: Terms, format: FloatFormat, a: Term, b: Term): Term {
  return floatAdd(t, format, a, floatNegate(t, b));
}

export function floatMultiply(t: Terms, format: FloatFormat, a: Term, b: Term): Term {
  const [x, y] = [unpack(t, format, a), unpack(t, format, b)];
  const factors = [x, y].map(({ significand }) => withoutZerosBelow(t, significand));
  const width = factors[0]!.width + factors[1]!.width;
  const sign = t.xor(x.sign, y.sign);
  const exponent = t.sub(t.add(x.exponent, y.exponent), t.constant(x.exponent.width, format.bias - 1));
  const significand = t.mul(t.zext(factors[0]!, width), t.zext(factors[1]!, width));
  const isEitherInfinite = t.or(isInfinite(t, format, a), isInfinite(t, format, b));
  const none = t.or(
    t.or(isNoNumber(t, format, a), isNoNumber(t, format, b)),
    t.and(isEitherInfinite, t.or(isZeroFloat(t, a), isZeroFloat(t, b))),
  );
  const product = rounded(t, format, { sign, exponent, significand });
  const infinite = t.concat(sign, infinity(t, format));
  return t.ite(none, notANumber(t, format), t.ite(isEitherInfinite, infinite, product));
}

/**
 * Constants such as 100.0 and floats that have become doubles have few bits that count. The weight
 * of the top bit stays.
 */
function withoutZerosBelow(t: Terms, significand: Term): Term {
  const zeros = Math.min(t.facts.trailingZeros(significand), significand.width - 1);
  return t.extract(significand, zeros, significand.width - zeros);
}

export function floatDivide(t: Terms, format: FloatFormat, a: Term, b: Term): Term {
  const inverse = inversePower(t, format, b);
  if (inverse !== undefined) return floatMultiply(t, format, a, inverse);
  const [x, y] = [a, b].map(operand => withTopBit(t, format, operand));
  const sign = t.xor(x!.sign, y!.sign);
  const exponent = t.add(t.sub(x!.exponent, y!.exponent), t.constant(x!.exponent.width, format.bias));
  const significand = quotientOf(t, x!.significand, y!.significand, format.fractionBits + 3);
  const [isZeroA, isZeroB] = [isZeroFloat(t, a), isZeroFloat(t, b)];
  const [isInfiniteA, isInfiniteB] = [isInfinite(t, format, a), isInfinite(t, format, b)];
  const none = t.or(
    t.or(isNoNumber(t, format, a), isNoNumber(t, format, b)),
    t.or(t.and(isZeroA, isZeroB), t.and(isInfiniteA, isInfiniteB)),
  );
  const quotient = rounded(t, format, { sign, exponent, significand });
  const magnitude = t.ite(
    t.or(isInfiniteA, isZeroB),
    infinity(t, format),
    t.ite(t.or(isZeroA, isInfiniteB), t.constant(format.bits - 1, 0), magnitudeOf(t, quotient)),
  );
  return t.ite(none, notANumber(t, format), t.concat(sign, magnitude));
}

/** 1 / b, if b is a power of two and its inverse a normal number: dividing by it is multiplying. */
function inversePower(t: Terms, format: FloatFormat, b: Term): Term | undefined {
  if (!b.isConst || fractionOf(t, format, b).value !== 0) return undefined;
  const exponent = 2 * format.bias - Number(exponentOf(t, format, b).value);
  if (exponent < 1 || exponent > 2 * format.bias - 1) return undefined;
  const field = t.constant(format.exponentBits, exponent);
  return t.concat(signOf(t, b), t.concat(field, t.constant(format.fractionBits, 0)));
}

export function floatSquareRoot(t: Terms, format: FloatFormat, x: Term): Term {
  const { bias, fractionBits } = format;
  const { exponent, significand } = withTopBit(t, format, x);
  // sqrt(m * 2^e) = sqrt(m * 2^(e mod 2)) * 2^(e div 2); the bias is odd, so e is odd where
  // exponent is even.
  const power = t.sub(exponent, t.constant(exponent.width, bias));
  const isOdd = t.extract(power, 0, 1);
  const halved = t.add(t.ashr(power, t.constant(power.width, 1)), t.constant(power.width, bias));
  const radicand = t.ite(isOdd, t.concat(significand, t.false), t.concat(t.false, significand));
  const root = rounded(t, format, {
    sign: t.false,
    exponent: halved,
    significand: rootOf(t, radicand, fractionBits + 3),
  });
  const isKept = t.or(isZeroFloat(t, x), t.eq(x, t.concat(t.false, infinity(t, format))));
  const none = t.or(isNoNumber(t, format, x), signOf(t, x));
  return t.ite(isKept, x, t.ite(none, notANumber(t, format), root));
}

/** The parts of a number, its significand with the top bit set; of zero, zero. */
function withTopBit(t: Terms, format: FloatFormat, x: Term): Unrounded {
  const lowest = t.constant(wideExponentBits(format), -format.bias);
  return normalized(t, unpack(t, format, x), lowest);
}

/**
 * The first `bits` bits of a / b, the first for the whole part, and a sticky bit. Both operands are
 * normalized.
 */
function quotientOf(t: Terms, a: Term, b: Term, bits: number): Term {
  const width = b.width + 1;
  const divisor = t.zext(b, width);
  const zero = t.constant(width, 0);
  const found: Term[] = [];
  let rest = t.zext(a, width);
  for (let i = 0; i < bits; i++) {
    const fits = t.uge(rest, divisor);
    found.push(fits);
    rest = doubled(t, t.sub(rest, t.ite(fits, divisor, zero)));
  }
  return inOneWord(t, [...found, t.ne(rest, zero)]);
}

/**
 * The first `bits` bits of the root of a number in [1, 4), which has two bits before its point, and
 * a sticky bit. With r the root so far and d its next bit, (r + d)² fits exactly if 2rd + d² fits
 * into the remainder of r²; both are kept divided by d.
 */
function rootOf(t: Terms, radicand: Term, bits: number): Term {
  // Three bits before the point: the remainder is less than twice the last number that did not fit,
  // so it is less than 8.
  const width = bits + 3;
  const zero = t.constant(width, 0);
  const found: Term[] = [];
  let rest = t.zext(t.concat(radicand, t.constant(width - radicand.width - 1, 0)), width);
  let root = zero;
  for (let i = 0; i < bits; i++) {
    const bit = t.constant(width, 1n << BigInt(width - 3 - i));
    const needed = t.add(doubled(t, root), bit);
    const fits = t.uge(rest, needed);
    found.push(fits);
    rest = doubled(t, t.sub(rest, t.ite(fits, needed, zero)));
    root = t.add(root, t.ite(fits, bit, zero));
  }
  return inOneWord(t, [...found, t.ne(rest, zero)]);
}

/** As a sum: a shift would become a concatenation of extracts, which would nest with each step. */
function doubled(t: Terms, x: Term): Term {
  return t.add(x, x);
}

/** The first bit is the highest. */
function inOneWord(t: Terms, bits: readonly Term[]): Term {
  return bits.reduceRight((low, high) => t.concat(high, low));
}
