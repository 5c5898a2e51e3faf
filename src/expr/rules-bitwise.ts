/**
 * Canonical forms of and, or, xor, not. At width 1 these are the boolean connectives.
 *   B1  x & 0 = 0, x & ones = x, x | 0 = x, x | ones = ones, x ^ 0 = x, x ^ ones = ~x
 *   B2  x & x = x | x = x, x ^ x = 0, x & ~x = 0, x | ~x = x ^ ~x = ones
 *   B3  (x op c) op d = x op (c op d) for each of the three
 *   B4  x & mask with one run of ones is wiring; x & c = x where c covers all bits that x may have (by facts)
 *   B5  x | c = x where x surely has the bits of c (by facts)
 *   B6  zext x op zext y = zext (x op y); zext x & c = zext (x & low c)
 *   B7  x | y, x ^ y without common bits, the lower part of one known zero: a concatenation (see `join`)
 *   B8  ~~x = x, ~x ^ y = ~(x ^ y), ~(c ? d : e) = c ? ~d : ~e
 *   B9  x & (x & y) = x & y, x | (x | y) = x | y, x & (x | y) = x | (x & y) = x
 *   B10 x ^ (x ^ y) = y
 */
import { join } from './rules-arithmetic.js';
import { Op, type Term } from './term.js';
import { isConstantChoice, type Terms } from './terms.js';
import * as V from './value.js';

export function and(t: Terms, a: Term, b: Term): Term {
  const { width } = a;
  if (a === b) return a; // B2
  if (b.op === Op.Const) {
    if (b.value === 0) return b; // B1
    if (b.value === V.allOnes(width)) return a;
    if (a.op === Op.And && a.b.op === Op.Const) return t.and(a.a, t.and(a.b, b)); // B3
    if (a.op === Op.Zext) {
      return t.zext(t.and(a.a, t.constant(a.a.width, V.extract(b.value, 0, a.a.width))), width); // B6
    }
    if (width <= 64 && t.facts.mayBeOnesAreOnesOf(a, b)) return a; // B4
    return andMask(t, a, b) ?? t.node(Op.And, width, a, b);
  }
  if (isComplement(a, b)) return t.constant(width, 0); // B2
  if (a.op === Op.And && (a.a === b || a.b === b)) return a; // B9
  if (b.op === Op.And && (b.a === a || b.b === a)) return b;
  if (a.op === Op.Or && (a.a === b || a.b === b)) return b;
  if (b.op === Op.Or && (b.a === a || b.b === a)) return a;
  if (areSameExtensions(a, b)) return t.zext(t.and(a.a, b.a), width); // B6
  return t.node(Op.And, width, a, b);
}

/** B4: a mask whose ones are one run, `0…0 1…1 0…0`, only moves bits. */
function andMask(t: Terms, a: Term, mask: Term): Term | undefined {
  const { width } = a;
  const bits = BigInt(mask.value);
  const lowest = log2(bits & -bits);
  const length = V.log2Exact(V.toValue(width + 1, (bits >> BigInt(lowest)) + 1n));
  if (length < 0) return undefined;
  const run = t.extract(a, lowest, length);
  return t.zext(lowest === 0 ? run : t.concat(run, t.constant(lowest, 0)), width);
}

function log2(powerOfTwo: bigint): number {
  return powerOfTwo.toString(2).length - 1;
}

export function or(t: Terms, a: Term, b: Term): Term {
  const { width } = a;
  if (a === b) return a; // B2
  if (b.op === Op.Const) {
    if (b.value === 0) return a; // B1
    if (b.value === V.allOnes(width)) return b;
    if (a.op === Op.Or && a.b.op === Op.Const) return t.or(a.a, t.or(a.b, b)); // B3
    if (width <= 64 && t.facts.mayBeOnesAreOnesOf(b, a)) return a; // B5
  }
  if (isComplement(a, b)) return t.constant(width, V.allOnes(width)); // B2
  if (a.op === Op.Or && (a.a === b || a.b === b)) return a; // B9
  if (b.op === Op.Or && (b.a === a || b.b === a)) return b;
  if (a.op === Op.And && (a.a === b || a.b === b)) return b;
  if (b.op === Op.And && (b.a === a || b.b === a)) return a;
  if (areSameExtensions(a, b)) return t.zext(t.or(a.a, b.a), width); // B6
  return join(t, a, b) ?? t.node(Op.Or, width, a, b); // B7
}

export function xor(t: Terms, a: Term, b: Term): Term {
  const { width } = a;
  if (a === b) return t.constant(width, 0); // B2
  if (b.op === Op.Const) {
    if (b.value === 0) return a; // B1
    if (b.value === V.allOnes(width)) return t.not(a);
    if (a.op === Op.Xor && a.b.op === Op.Const) return t.xor(a.a, t.xor(a.b, b)); // B3
  }
  if (a.op === Op.Not) return b.op === Op.Const ? t.xor(a.a, t.not(b)) : t.not(t.xor(a.a, b)); // B8
  if (b.op === Op.Not) return t.not(t.xor(a, b.a));
  if (a.op === Op.Xor) {
    if (a.a === b) return a.b; // B10
    if (a.b === b) return a.a;
  }
  if (b.op === Op.Xor) {
    if (b.a === a) return b.b;
    if (b.b === a) return b.a;
  }
  if (areSameExtensions(a, b)) return t.zext(t.xor(a.a, b.a), width); // B6
  return join(t, a, b) ?? t.node(Op.Xor, width, a, b); // B7
}

export function not(t: Terms, a: Term): Term {
  if (a.op === Op.Const) return t.constant(a.width, V.not(a.width, a.value));
  if (a.op === Op.Not) return a.a; // B8
  if (isConstantChoice(a)) return t.ite(a.a, t.not(a.b), t.not(a.c));
  return t.node(Op.Not, a.width, a);
}

function isComplement(a: Term, b: Term): boolean {
  return (a.op === Op.Not && a.a === b) || (b.op === Op.Not && b.a === a);
}

function areSameExtensions(a: Term, b: Term): boolean {
  return a.op === Op.Zext && b.op === Op.Zext && a.a.width === b.a.width;
}
