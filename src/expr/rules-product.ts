/**
 * Comparisons of products and quotients, solved instead of multiplied out. A product of two unknown
 * 32-bit numbers is the one circuit on which a SAT solver may sit for hours; most conditions of
 * programs on products have one of these forms.
 *
 *   P1  x * c = d, c constant: an odd c has an inverse modulo 2^width, and a factor 2^k shifts: x = d / c in the bits that count, or false
 *   P2  x * x = d: if the facts exclude that the product wraps, x is the root of d or its opposite. Otherwise, modulo 2^width an odd number has
 *       four roots or none, so it is a choice of at most four values for the bits that count
 *   P3  x * y = 0 is x = 0 | y = 0, if the facts exclude that the product wraps
 *   P4  x * y = d is a choice among the divisors of d, if the facts exclude that the product wraps and d is small enough to be factored
 *   P5  (x * y) / y = x (unsigned) is y = 0 ? x = ones : x * y does not wrap
 *   P6  ones / y < x (unsigned) is: x * y wraps
 *   P7  x * y < 2^k is: the bits of the product from k on are zero; 2^k - 1 < x * y likewise
 *   Q1  x / c = d, x / c < d, d < x / c (unsigned, c and d constant): bounds of x
 *   Q2  (x * y) / y is y = 0 ? ones : x, and (x * y) % y is 0, signed or unsigned, if the facts exclude that the product wraps
 *
 * P5 to P7 give the two ways in which C programs guard a multiplication one form, that of
 * `__builtin_mul_overflow`: the upper half of the product in double width.
 *
 * All rules hold at every width and were checked at every value of 4 bits. None multiplies: P2 and
 * P4 stop at factors that are products themselves, so that a power is not turned into all of its
 * roots at once.
 */
import { Op, type Term } from './term.js';
import type { Terms } from './terms.js';
import * as V from './value.js';

/** Q1 and P2 walk down; see `height` in `term.ts`. */
const MAX_HEIGHT = 256;
/** P4 divides by every number up to this. */
const LARGEST_TRIAL = 2 ** 16;
/** P4 gives up on products with more ways to divide them in two, order and sign aside. */
const MOST_DIVISORS = 32;

/** a * b = d for a constant d; undefined if no rule applies. */
export function eqProduct(t: Terms, a: Term, b: Term, d: Term): Term | undefined {
  if (b.op === Op.Const) return eqMultiple(t, a, BigInt(b.value), BigInt(d.value));
  if (a.op === Op.Mul || b.op === Op.Mul || a.height > MAX_HEIGHT || b.height > MAX_HEIGHT) return undefined;
  return a === b ? eqSquare(t, a, BigInt(d.value)) : eqDivisors(t, a, b, d);
}

/** P1 */
function eqMultiple(t: Terms, x: Term, factor: bigint, product: bigint): Term {
  const zeros = trailingZeros(factor);
  if (BigInt.asUintN(zeros, product) !== 0n) return t.false;
  const bits = x.width - zeros;
  const inverse = inverseOfOdd(factor >> BigInt(zeros), bits);
  return t.eq(t.extract(x, 0, bits), t.constant(bits, (product >> BigInt(zeros)) * inverse));
}

/** P2 */
function eqSquare(t: Terms, x: Term, square: bigint): Term {
  const { width } = x;
  const isUnsigned = t.facts.isProductExact(x, x);
  if (!isUnsigned && !t.facts.isSignedProductExact(x, x)) return eqWrappedSquare(t, x, square);
  const root = integerRoot(square);
  if (root * root !== square) return t.false;
  const isRoot = t.eq(x, t.constant(width, root));
  return isUnsigned ? isRoot : t.or(isRoot, t.eq(x, t.constant(width, -root)));
}

/**
 * A square other than zero is 4^k m with m odd; then x = 2^k y, and y * y = m in the bits that are
 * left:
 *
 *     x:  | k bits, free | width - 2 k bits, a root of m | k zeros |
 */
function eqWrappedSquare(t: Terms, x: Term, square: bigint): Term {
  const { width } = x;
  const zeros = square === 0n ? Math.ceil(width / 2) : trailingZeros(square) / 2;
  if (!Number.isInteger(zeros)) return t.false;
  const low = zeros === 0 ? t.true : t.eq(t.extract(x, 0, zeros), t.constant(zeros, 0));
  if (square === 0n) return low;
  const bits = width - 2 * zeros;
  const root = t.extract(x, zeros, bits);
  const choices = rootsOfOdd(square >> BigInt(2 * zeros), bits).map(r => t.eq(root, t.constant(bits, r)));
  return t.and(low, anyOf(t, choices));
}

/** P3, P4 */
function eqDivisors(t: Terms, a: Term, b: Term, d: Term): Term | undefined {
  const { width } = a;
  const isUnsigned = t.facts.isProductExact(a, b);
  if (!isUnsigned && !t.facts.isSignedProductExact(a, b)) return undefined;
  const product = isUnsigned ? d.value : V.toSigned(width, d.value);
  const are = (x: number, y: number): Term =>
    t.and(t.eq(a, t.constant(width, x)), t.eq(b, t.constant(width, y)));
  if (product === 0) return t.or(t.eq(a, d), t.eq(b, d));
  const magnitude = Number(product < 0 ? -product : product);
  if (magnitude > LARGEST_TRIAL ** 2) return undefined;
  const choices: Term[] = [];
  for (let divisor = 1; divisor * divisor <= magnitude; divisor++) {
    if (magnitude % divisor !== 0) continue;
    if (choices.length >= MOST_DIVISORS) return undefined;
    const other = Number(product) / divisor;
    const ways = divisor === other ? [are(divisor, other)] : [are(divisor, other), are(other, divisor)];
    if (!isUnsigned) {
      ways.push(are(-divisor, -other));
      if (divisor !== other) ways.push(are(-other, -divisor));
    }
    choices.push(anyOf(t, ways));
  }
  return anyOf(t, choices);
}

/**
 * P5: the condition under which `quotient` equals x; undefined unless it is (x * y) / y for some y.
 */
export function eqQuotientOfProduct(t: Terms, quotient: Term, x: Term): Term | undefined {
  if (quotient.op !== Op.Udiv || quotient.a.op !== Op.Mul) return undefined;
  const { a: product, b: y } = quotient;
  if (!(product.a === x && product.b === y) && !(product.a === y && product.b === x)) return undefined;
  const { width } = x;
  const atZero = t.eq(x, t.constant(width, V.allOnes(width)));
  return t.ite(t.eq(y, t.constant(width, 0)), atZero, t.not(wraps(t, x, y)));
}

/** Whether x * y, unsigned, does not fit its width. */
function wraps(t: Terms, x: Term, y: Term): Term {
  const { width } = x;
  if (x.op === Op.Const) return wraps(t, y, x);
  if (y.op === Op.Const) {
    return y.value === 0 ? t.false : t.ult(t.constant(width, V.udiv(width, V.allOnes(width), y.value)), x);
  }
  return t.not(isBelowPower(t, t.mul(t.zext(x, 2 * width), t.zext(y, 2 * width)), width));
}

/** x < 2^k, for k below its width. */
function isBelowPower(t: Terms, x: Term, k: number): Term {
  const bits = x.width - k;
  return t.eq(t.extract(x, k, bits), t.constant(bits, 0));
}

/**
 * a < b where one of them is a product or a quotient (P6, P7, Q1); undefined if no rule applies.
 */
export function ultProduct(t: Terms, a: Term, b: Term): Term | undefined {
  const { width } = a;
  if (a.op === Op.Udiv && a.a.op === Op.Const && a.a.value === V.allOnes(width)) return wraps(t, b, a.b);
  if (a.op === Op.Mul && b.op === Op.Const) {
    const k = V.log2Exact(b.value);
    return k < 0 ? undefined : isBelowPower(t, a, k);
  }
  if (b.op === Op.Mul && a.op === Op.Const) {
    const k = V.log2Exact(V.add(width, a.value, 1));
    return k < 0 ? undefined : t.not(isBelowPower(t, b, k));
  }
  if (isQuotientByConstant(a) && b.op === Op.Const) {
    const bound = BigInt(b.value) * BigInt(a.b.value);
    return bound >> BigInt(width) > 0n ? t.true : t.ult(a.a, t.constant(width, bound));
  }
  if (isQuotientByConstant(b) && a.op === Op.Const) {
    const bound = (BigInt(a.value) + 1n) * BigInt(b.b.value);
    return bound >> BigInt(width) > 0n ? t.false : t.uge(b.a, t.constant(width, bound));
  }
  return undefined;
}

/** Q1: quotient = d, which is neither d - 1 < quotient failing nor quotient < d + 1 failing. */
export function eqQuotient(t: Terms, quotient: Term, d: Term): Term | undefined {
  if (!isQuotientByConstant(quotient)) return undefined;
  const { width } = d;
  const least = BigInt(d.value) * BigInt(quotient.b.value);
  if (least >> BigInt(width) > 0n) return t.false;
  const isEnough = t.uge(quotient.a, t.constant(width, least));
  const beyond = least + BigInt(quotient.b.value);
  return beyond >> BigInt(width) > 0n
    ? isEnough
    : t.and(isEnough, t.ult(quotient.a, t.constant(width, beyond)));
}

function isQuotientByConstant(term: Term): boolean {
  return term.op === Op.Udiv && term.b.op === Op.Const && term.height <= MAX_HEIGHT;
}

/**
 * Q2: the other factor, if `product` is one that does not wrap, signed or unsigned, and has the
 * factor `y`.
 */
export function otherFactor(t: Terms, product: Term, y: Term, isSigned: boolean): Term | undefined {
  if (product.op !== Op.Mul || (product.a !== y && product.b !== y)) return undefined;
  const { facts } = t;
  const isExact = isSigned
    ? facts.isSignedProductExact(product.a, product.b)
    : facts.isProductExact(product.a, product.b);
  if (!isExact) return undefined;
  return product.a === y ? product.b : product.a;
}

function anyOf(t: Terms, choices: readonly Term[]): Term {
  return choices.reduce((any, choice) => t.or(any, choice), t.false);
}

function trailingZeros(x: bigint): number {
  return (x & -x).toString(2).length - 1;
}

/** The largest number whose square is not above n, by Newton's iteration from above. */
function integerRoot(n: bigint): bigint {
  if (n === 0n) return n;
  let root = 1n << BigInt(Math.ceil(n.toString(2).length / 2));
  for (;;) {
    const next = (root + n / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/**
 * The inverse of an odd number modulo 2^bits, by Newton's iteration: each step doubles the bits
 * that are right.
 */
function inverseOfOdd(x: bigint, bits: number): bigint {
  let inverse = 1n;
  for (let right = 1; right < bits; right *= 2) inverse = BigInt.asUintN(bits, inverse * (2n - x * inverse));
  return inverse;
}

/** All y with y * y = m modulo 2^bits, for an odd m below that. */
function rootsOfOdd(m: bigint, bits: number): bigint[] {
  if (bits < 3) return m === 1n ? [1n, 3n].slice(0, bits) : [];
  if (BigInt.asUintN(3, m) !== 1n) return [];
  let root = 1n;
  // root * root = m in the low `right` bits; the bit above is mended by a bit of the root that is
  // one lower.
  for (let right = 3; right < bits; right++) {
    if (((root * root - m) >> BigInt(right)) & 1n) root += 1n << BigInt(right - 1);
  }
  const half = 1n << BigInt(bits - 1);
  return [root, -root, root + half, half - root].map(y => BigInt.asUintN(bits, y));
}
