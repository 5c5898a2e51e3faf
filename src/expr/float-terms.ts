/**
 * Floats and doubles as bit-vector terms: a float is the term of its bits, and all operations on it
 * are bit-vector terms.
 *
 *        63 62      52 51                     0          31 30    23 22             0
 *       ┌──┬──────────┬────────────────────────┐        ┌──┬────────┬────────────────┐
 *       │s │ exponent │ fraction               │ double │s │exponent│ fraction       │ float
 *       └──┴──────────┴────────────────────────┘        └──┴────────┴────────────────┘
 *           └─ magnitude: larger bits, larger number ┘
 *
 *     exponent all ones     infinity if the fraction is zero, else no number (quiet if its top bit is set)
 *     exponent zero         0.fraction * 2^(1 - bias): zero and the subnormal numbers
 *     else                  1.fraction * 2^(exponent - bias)
 *
 * Here: what needs no rounding, so it is cheap for every solver. A comparison is one of magnitudes
 * and signs, and a choice of the sign touches one bit. Operations that round are in
 * `float-rounding.ts` and `float-arithmetic.ts`.
 *
 * **Invariants.** Each function gives the bits that IEEE 754 requires, rounding to nearest, ties to
 * even. Where it leaves a choice, in the bits of NaNs, arithmetic gives `notANumber`; sign
 * operations, choices and copies keep the bits.
 *
 * Why no theory of floats: the caches, rules and printers of terms stay as they are, and both
 * solvers turn floats into such circuits anyway.
 */
import type { Term } from './term.js';
import type { Terms } from './terms.js';

export interface FloatFormat {
  readonly bits: number;
  readonly exponentBits: number;
  readonly fractionBits: number;
  readonly bias: number;
}

export const SINGLE: FloatFormat = { bits: 32, exponentBits: 8, fractionBits: 23, bias: 127 };
export const DOUBLE: FloatFormat = { bits: 64, exponentBits: 11, fractionBits: 52, bias: 1023 };

type Order = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';

/** The predicates of LLVM's `fcmp`: ordered ones are false for NaN, unordered ones true. */
export type FloatOrder = 'false' | 'true' | `${'o' | 'u'}${Order}` | 'ord' | 'uno';

// ------------------------------------------------------------------------------------ parts

export function signOf(t: Terms, x: Term): Term {
  return t.extract(x, x.width - 1, 1);
}

/** All but the sign. */
export function magnitudeOf(t: Terms, x: Term): Term {
  return t.extract(x, 0, x.width - 1);
}

export function exponentOf(t: Terms, { exponentBits, fractionBits }: FloatFormat, x: Term): Term {
  return t.extract(x, fractionBits, exponentBits);
}

export function fractionOf(t: Terms, { fractionBits }: FloatFormat, x: Term): Term {
  return t.extract(x, 0, fractionBits);
}

/** The magnitude of infinity. */
export function infinity(t: Terms, { bits, exponentBits, fractionBits }: FloatFormat): Term {
  return t.constant(bits - 1, ((1n << BigInt(exponentBits)) - 1n) << BigInt(fractionBits));
}

/** The NaN that arithmetic gives: quiet, positive, the rest of the fraction zero. */
export function notANumber(t: Terms, { bits, exponentBits, fractionBits }: FloatFormat): Term {
  return t.constant(bits, ((1n << BigInt(exponentBits + 1)) - 1n) << BigInt(fractionBits - 1));
}

export function isNoNumber(t: Terms, format: FloatFormat, x: Term): Term {
  return t.ugt(magnitudeOf(t, x), infinity(t, format));
}

export function isInfinite(t: Terms, format: FloatFormat, x: Term): Term {
  return t.eq(magnitudeOf(t, x), infinity(t, format));
}

export function isZeroFloat(t: Terms, x: Term): Term {
  return t.eq(magnitudeOf(t, x), t.constant(x.width - 1, 0));
}

/** `llvm.is.fpclass`: whether the float is of one of the classes in the mask. */
export function isOfFloatClass(t: Terms, format: FloatFormat, x: Term, mask: number): Term {
  const { bits, fractionBits } = format;
  const magnitude = magnitudeOf(t, x);
  const leastNormal = t.constant(bits - 1, 1n << BigInt(fractionBits));
  const isQuiet = t.extract(x, fractionBits - 1, 1);
  const either = (isFirst: Term, first: number, second: number): Term =>
    t.ite(isFirst, t.bool((mask & (1 << first)) !== 0), t.bool((mask & (1 << second)) !== 0));
  const isNegative = signOf(t, x);
  const choices: [Term, Term][] = [
    [isNoNumber(t, format, x), either(isQuiet, 1, 0)],
    [isInfinite(t, format, x), either(isNegative, 2, 9)],
    [t.uge(magnitude, leastNormal), either(isNegative, 3, 8)],
    [isZeroFloat(t, x), either(isNegative, 5, 6)],
  ];
  const subnormal = either(isNegative, 4, 7);
  return choices.reduceRight((rest, [condition, then]) => t.ite(condition, then, rest), subnormal);
}

// ------------------------------------------------------------------------------------ signs

export function floatNegate(t: Terms, x: Term): Term {
  return t.concat(t.not(signOf(t, x)), magnitudeOf(t, x));
}

export function floatAbsolute(t: Terms, x: Term): Term {
  return t.concat(t.false, magnitudeOf(t, x));
}

export function floatCopySign(t: Terms, magnitude: Term, sign: Term): Term {
  return t.concat(signOf(t, sign), magnitudeOf(t, magnitude));
}

// ------------------------------------------------------------------------------------ order

export function floatComparison(t: Terms, order: FloatOrder, format: FloatFormat, a: Term, b: Term): Term {
  switch (order) {
    case 'false':
      return t.false;
    case 'true':
      return t.true;
    case 'ord':
      return t.not(areUnordered(t, format, a, b));
    case 'uno':
      return areUnordered(t, format, a, b);
    default: {
      // The remaining comparisons are an order after `o` or `u`.
      const unordered = areUnordered(t, format, a, b);
      const holds = orderedComparison(t, order.slice(1) as Order, a, b);
      return order.startsWith('o') ? t.and(t.not(unordered), holds) : t.or(unordered, holds);
    }
  }
}

function areUnordered(t: Terms, format: FloatFormat, a: Term, b: Term): Term {
  return t.or(isNoNumber(t, format, a), isNoNumber(t, format, b));
}

/** The comparison of two floats, neither of which is a NaN. */
function orderedComparison(t: Terms, order: Order, a: Term, b: Term): Term {
  switch (order) {
    case 'eq':
      return areEqual(t, a, b);
    case 'ne':
      return t.not(areEqual(t, a, b));
    case 'lt':
      return isLess(t, a, b);
    case 'gt':
      return isLess(t, b, a);
    case 'le':
      return t.not(isLess(t, b, a));
    case 'ge':
      return t.not(isLess(t, a, b));
  }
}

function areZero(t: Terms, a: Term, b: Term): Term {
  return isZeroFloat(t, t.or(a, b));
}

function areEqual(t: Terms, a: Term, b: Term): Term {
  return t.or(areZero(t, a, b), t.eq(a, b));
}

function isLess(t: Terms, a: Term, b: Term): Term {
  const [isNegativeA, isNegativeB] = [signOf(t, a), signOf(t, b)];
  return t.and(
    t.not(areZero(t, a, b)),
    t.ite(isNegativeA, t.ite(isNegativeB, t.ugt(a, b), t.true), t.ite(isNegativeB, t.false, t.ult(a, b))),
  );
}

/**
 * The smaller or the greater of two, -0 counting as less than +0. A NaN gives way to the other
 * (`fmin`), or wins (`minimum`).
 */
export function floatExtreme(
  t: Terms,
  format: FloatFormat,
  which: 'least' | 'greatest',
  ofNoNumber: 'other' | 'itself',
  a: Term,
  b: Term,
): Term {
  // Among numbers that differ in sign, the one whose sign is set is less, zeros included.
  const isFirstLess = t.ite(t.eq(signOf(t, a), signOf(t, b)), isLess(t, a, b), signOf(t, a));
  const extreme = which === 'least' ? t.ite(isFirstLess, a, b) : t.ite(isFirstLess, b, a);
  const [isNone, isNoneB] = [isNoNumber(t, format, a), isNoNumber(t, format, b)];
  if (ofNoNumber === 'itself') return t.ite(t.or(isNone, isNoneB), notANumber(t, format), extreme);
  return t.ite(isNone, b, t.ite(isNoneB, a, extreme));
}
