/**
 * Canonical forms of arithmetic and shifts.
 *
 * Sums keep their constant outermost and on the right, so that addresses of one object differ in it
 * alone:
 *   A1  x + 0 = x                         A2  (x + c) + d = x + (c + d)
 *   A3  (x + c) + y = (x + y) + c         A4  (c - x) + y = (y - x) + c, if y is not constant: else (c + y) - x
 *   A5  (x - y) + y = x                   A6  x + (0 - y) = x - y
 *   A7  operands without common one-bits, the lower part of one known zero: x + y is a concatenation (see `join`)
 *   S1  x - c = x + (-c)                  S2  x - x = 0
 *   S3  (x + c) - y = (x - y) + c         S4  x - (y + c) = (x - y) - c
 *   S5  (x + y) - x = y, x - (x + y) = 0 - y, (x - y) - x = 0 - y, x - (x - y) = y
 *   S6  x - (0 - y) = x + y, 0 - (x - y) = y - x
 *   M1  x * 0 = 0, x * 1 = x, x * -1 = 0 - x     M2  x * 2^k = x << k
 *   M3  (x * c) * d = x * (c * d)                M4  (x + c) * d = x * d + c * d
 *   M5  (x / y) * y = x - x % y, signed and unsigned; it holds for y = 0 as well
 *   D1  x / 1 = x, x / 2^k = x >> k, x / 0 = all ones (unsigned)
 *   D2  x % 1 = 0, x % 2^k = the low k bits, x % 0 = x (unsigned)
 *   D3  x / y = 0 and x % y = x if the facts say x < y (unsigned)
 *   D4  signed division and remainder of non-negative operands are the unsigned ones
 *   D5  x /s 1 = x, x /s -1 = 0 - x, x %s 1 = x %s -1 = 0, x %s 0 = x
 *   (x * y) / y and (x * y) % y: Q2 in `rules-product.ts`
 *   H1  a shift by a constant is wiring: concat, extract, zext, sext; none is left as a shift
 *   H2  (x + c) << k = (x << k) + (c << k)
 *   H3  a shift of zero is zero; ashr of a non-negative term is lshr
 *   W1  at width 1: + and - are xor, * is and
 */

import { otherFactor } from './rules-product.js';
import { Op, type Term } from './term.js';
import { bitLength } from './term-facts.js';
import type { Terms } from './terms.js';
import * as V from './value.js';

export function add(t: Terms, a: Term, b: Term): Term {
  const { width } = a;
  if (width === 1) return t.xor(a, b);
  if (b.op === Op.Const) {
    if (b.value === 0) return a; // A1
    if (a.op === Op.Add && a.b.op === Op.Const) return t.add(a.a, t.add(a.b, b)); // A2
    if (a.op === Op.Sub && a.a.op === Op.Const) return t.sub(t.add(a.a, b), a.b); // A4
    return t.node(Op.Add, width, a, b);
  }
  if (a.op === Op.Add && a.b.op === Op.Const) return t.add(t.add(a.a, b), a.b); // A3
  if (b.op === Op.Add && b.b.op === Op.Const) return t.add(t.add(a, b.a), b.b);
  if (a.op === Op.Sub) {
    if (a.b === b) return a.a; // A5
    if (a.a.op === Op.Const) return t.add(t.sub(b, a.b), a.a); // A4, A6
  }
  if (b.op === Op.Sub) {
    if (b.b === a) return b.a;
    if (b.a.op === Op.Const) return t.add(t.sub(a, b.b), b.a);
  }
  return join(t, a, b) ?? t.node(Op.Add, width, a, b); // A7
}

/**
 * Concatenation or zero extension `a` has zeros where `b` has bits, as in `(high << 8) | low`: then
 * their sum, or or exclusive or is wiring. Bytes put together by shifting become the same term as
 * bytes read as one word.
 *
 *     a:  ┌ h ┬ 0…0 ┐     b:  ┌ 0…0 ┬ l ┐     concat(h, l)
 */
export function join(t: Terms, a: Term, b: Term): Term | undefined {
  return joinInto(t, a, b) ?? joinInto(t, b, a);
}

function joinInto(t: Terms, a: Term, b: Term): Term | undefined {
  if (a.width > 64 || (a.op !== Op.Concat && a.op !== Op.Zext)) return undefined;
  const lowBits = bitLength(t.facts.umax[b.id]!);
  if (lowBits >= a.width || t.facts.trailingZeros(a) < lowBits) return undefined;
  return t.concat(t.extract(a, lowBits, a.width - lowBits), t.extract(b, 0, lowBits));
}

export function sub(t: Terms, a: Term, b: Term): Term {
  const { width } = a;
  if (width === 1) return t.xor(a, b);
  if (a === b) return t.constant(width, 0); // S2
  if (b.op === Op.Const) return t.add(a, t.constant(width, V.sub(width, 0, b.value))); // S1
  if (b.op === Op.Add) {
    if (b.b.op === Op.Const) return t.sub(t.sub(a, b.a), b.b); // S4
    if (b.a === a) return t.neg(b.b); // S5
    if (b.b === a) return t.neg(b.a);
  }
  if (a.op === Op.Add) {
    if (a.b.op === Op.Const) return t.add(t.sub(a.a, b), a.b); // S3
    if (a.a === b) return a.b; // S5
    if (a.b === b) return a.a;
  }
  if (a.op === Op.Sub && a.a === b) return t.neg(a.b); // S5
  if (b.op === Op.Sub) {
    if (b.a === a) return b.b; // S5
    if (b.a.op === Op.Const) return t.sub(t.add(a, b.b), b.a); // S6
    if (a.op === Op.Const && a.value === 0) return t.sub(b.b, b.a); // S6
  }
  return t.node(Op.Sub, width, a, b);
}

export function mul(t: Terms, a: Term, b: Term): Term {
  const { width } = a;
  if (width === 1) return t.and(a, b);
  if (b.op === Op.Const) {
    if (b.value === 0) return b; // M1
    const k = V.log2Exact(b.value);
    if (k === 0) return a;
    if (k > 0) return shiftLeft(t, a, k); // M2
    if (b.value === V.allOnes(width)) return t.neg(a);
    if (a.op === Op.Mul && a.b.op === Op.Const) return t.mul(a.a, t.mul(a.b, b)); // M3
    if (a.op === Op.Add && a.b.op === Op.Const) return t.add(t.mul(a.a, b), t.mul(a.b, b)); // M4
  }
  const rounded = roundedDown(t, a, b) ?? roundedDown(t, b, a);
  if (rounded !== undefined) return rounded; // M5
  return t.node(Op.Mul, width, a, b);
}

/** For a quotient and its divisor: the dividend without the remainder. */
function roundedDown(t: Terms, quotient: Term, divisor: Term): Term | undefined {
  if (quotient.op !== Op.Udiv && quotient.op !== Op.Sdiv) return undefined;
  const { a: dividend, b } = quotient;
  if (b !== divisor) return undefined;
  const remainder = quotient.op === Op.Udiv ? t.urem(dividend, b) : t.srem(dividend, b);
  return t.sub(dividend, remainder);
}

export function udiv(t: Terms, a: Term, b: Term): Term {
  const { width } = a;
  if (b.op === Op.Const) {
    if (b.value === 0) return t.constant(width, V.allOnes(width)); // D1
    const k = V.log2Exact(b.value);
    if (k >= 0) return shiftRight(t, a, k);
  }
  if (t.facts.umax[a.id]! < t.facts.umin[b.id]!) return t.constant(width, 0); // D3
  const factor = otherFactor(t, a, b, false);
  if (factor !== undefined) return unlessZero(t, b, factor); // Q2
  return t.node(Op.Udiv, width, a, b);
}

/** The quotient of a multiple of y: of 0 / 0, signed or not, all bits are ones. */
function unlessZero(t: Terms, y: Term, quotient: Term): Term {
  const { width } = y;
  return t.ite(t.eq(y, t.constant(width, 0)), t.constant(width, V.allOnes(width)), quotient);
}

export function urem(t: Terms, a: Term, b: Term): Term {
  const { width } = a;
  if (b.op === Op.Const) {
    if (b.value === 0) return a; // D2
    const k = V.log2Exact(b.value);
    if (k === 0) return t.constant(width, 0);
    if (k > 0) return t.zext(t.extract(a, 0, k), width);
  }
  if (t.facts.umax[a.id]! < t.facts.umin[b.id]!) return a; // D3
  if (otherFactor(t, a, b, false) !== undefined) return t.constant(width, 0); // Q2
  return t.node(Op.Urem, width, a, b);
}

function areNonNegative(t: Terms, a: Term, b: Term): boolean {
  return t.facts.smin[a.id]! >= 0 && t.facts.smin[b.id]! >= 0;
}

export function sdiv(t: Terms, a: Term, b: Term): Term {
  // D4: at b = 0 both give all ones, since a is not negative.
  if (areNonNegative(t, a, b)) return t.udiv(a, b);
  if (b.op === Op.Const) {
    if (b.value === V.allOnes(a.width)) return t.neg(a); // D5, before 1: at width 1 they coincide, and -x = x
    if (b.value === 1) return a;
  }
  const factor = otherFactor(t, a, b, true);
  if (factor !== undefined) return unlessZero(t, b, factor); // Q2
  return t.node(Op.Sdiv, a.width, a, b);
}

export function srem(t: Terms, a: Term, b: Term): Term {
  if (areNonNegative(t, a, b)) return t.urem(a, b); // D4
  if (b.op === Op.Const) {
    if (b.value === 0) return a; // D5
    if (b.value === 1 || b.value === V.allOnes(a.width)) return t.constant(a.width, 0);
  }
  if (otherFactor(t, a, b, true) !== undefined) return t.constant(a.width, 0); // Q2
  return t.node(Op.Srem, a.width, a, b);
}

/** x << k as wiring: requires 0 <= k < width. */
function shiftLeft(t: Terms, a: Term, k: number): Term {
  if (k === 0) return a;
  const { width } = a;
  if (a.op === Op.Add && a.b.op === Op.Const) {
    return t.add(shiftLeft(t, a.a, k), t.constant(width, V.shl(width, a.b.value, k))); // H2
  }
  return t.concat(t.extract(a, 0, width - k), t.constant(k, 0));
}

/** x >> k, unsigned, as wiring: requires 0 <= k < width. */
function shiftRight(t: Terms, a: Term, k: number): Term {
  return t.zext(t.extract(a, k, a.width - k), a.width);
}

export function shl(t: Terms, a: Term, b: Term): Term {
  if (b.op === Op.Const) return b.value < a.width ? shiftLeft(t, a, Number(b.value)) : t.constant(a.width, 0);
  if (a.op === Op.Const && a.value === 0) return a;
  return t.node(Op.Shl, a.width, a, b);
}

export function lshr(t: Terms, a: Term, b: Term): Term {
  if (b.op === Op.Const)
    return b.value < a.width ? shiftRight(t, a, Number(b.value)) : t.constant(a.width, 0);
  if (a.op === Op.Const && a.value === 0) return a;
  return t.node(Op.Lshr, a.width, a, b);
}

export function ashr(t: Terms, a: Term, b: Term): Term {
  const { width } = a;
  if (t.facts.smin[a.id]! >= 0) return t.lshr(a, b); // H3
  if (b.op === Op.Const) {
    const k = b.value < width ? Number(b.value) : width - 1;
    return t.sext(t.extract(a, k, width - k), width); // H1
  }
  return t.node(Op.Ashr, width, a, b);
}
