/**
 * Canonical forms of comparisons. All other comparisons are written with eq, ult, slt and not.
 *   E1  x = x; facts that exclude equality; at width 1: x = 1 is x, x = 0 is ~x, x = y is ~(x ^ y)
 *   E2  x + c = d is x = d - c;  c - x = d is x = c - d;  x ^ c = d is x = d ^ c;  ~x = c is x = ~c;  x - y = 0 is x = y
 *   E3  x + y = x is y = 0;  x + y = x + z is y = z
 *   E4  zext x = c is x = low c, or false; sext likewise; zext x = zext y is x = y
 *   E5  concat x y = c is x = high c & y = low c;  concat x y = concat z w is x = z & y = w (equal cuts)
 *   E6  (c ? d : y) = e with d != e is ~c & y = e, with d = e it is c | y = e; the other arm likewise
 *   E7  x = y is true if one is extended, both fit in the width before, by facts, and agree there
 *   L1  facts that decide the order; x < x is false
 *   L2  x < 1 is x = 0;  0 < x is x != 0;  x < ones is x != ones; ones - 1 < x is x = ones
 *   L3  zext x < zext y, sext x < sext y of equal cuts: x < y;  zext x < c is x < low c or true; c < zext x likewise
 *   L4  concat x y < concat x z is y < z
 *   L6  x % y < y is y != 0 (unsigned)
 *   L5  at width 1: x <u y is ~x & y;  x <s y is x & ~y
 *   G1  x <s y of operands with one known sign is x <u y
 *   G2  x <s 0 is the sign bit; -1 <s x is its complement
 *   G3  sext x <s sext y is x <s y; against a constant likewise, if it fits
 * Those of products and quotients are in `rules-product.ts`.
 */
import { eqProduct, eqQuotient, eqQuotientOfProduct, ultProduct } from './rules-product.js';
import { Op, type Term } from './term.js';
import type { Terms } from './terms.js';
import * as V from './value.js';

/** E5 and E6 walk down; see `height` in `term.ts`. */
const MAX_HEIGHT = 256;

export function eq(t: Terms, a: Term, b: Term): Term {
  if (a === b) return t.true; // E1
  const { facts } = t;
  if (
    facts.umax[a.id]! < facts.umin[b.id]! ||
    facts.umax[b.id]! < facts.umin[a.id]! ||
    facts.smax[a.id]! < facts.smin[b.id]! ||
    facts.smax[b.id]! < facts.smin[a.id]! ||
    facts.bitsDiffer(a, b)
  ) {
    return t.false;
  }
  if (a.width === 1) return b.op === Op.Const ? (b.value === 1 ? a : t.not(a)) : t.not(t.xor(a, b));
  if (b.op === Op.Const) return eqConstant(t, a, b) ?? t.node(Op.Eq, 1, a, b);
  const unwrapped = eqQuotientOfProduct(t, a, b) ?? eqQuotientOfProduct(t, b, a);
  if (unwrapped !== undefined) return unwrapped; // P5
  const rest = withoutCommonSummand(t, a, b) ?? withoutCommonSummand(t, b, a);
  if (rest !== undefined) return t.eq(rest[0], rest[1]); // E3
  if ((a.op === Op.Zext || a.op === Op.Sext) && b.op === a.op && a.a.width === b.a.width)
    return t.eq(a.a, b.a); // E4
  if (areEqualByLowParts(t, a, b)) return t.true; // E7
  if (a.op === Op.Concat && b.op === Op.Concat && a.b.width === b.b.width && a.height < MAX_HEIGHT) {
    return t.and(t.eq(a.a, b.a), t.eq(a.b, b.b)); // E5
  }
  return t.node(Op.Eq, 1, a, b);
}

function eqConstant(t: Terms, a: Term, b: Term): Term | undefined {
  const { width } = a;
  switch (a.op) {
    case Op.Add: // E2
      return a.b.op === Op.Const ? t.eq(a.a, t.sub(b, a.b)) : undefined;
    case Op.Sub:
      if (a.a.op === Op.Const) return t.eq(a.b, t.sub(a.a, b));
      return b.value === 0 ? t.eq(a.a, a.b) : undefined;
    case Op.Xor:
      if (a.b.op === Op.Const) return t.eq(a.a, t.xor(a.b, b));
      return b.value === 0 ? t.eq(a.a, a.b) : undefined;
    case Op.Not:
      return t.eq(a.a, t.not(b));
    case Op.Mul:
      return eqProduct(t, a.a, a.b, b);
    case Op.Udiv:
      return eqQuotientOfProduct(t, a, b) ?? eqQuotient(t, a, b);
    case Op.Zext: // E4: facts have excluded a constant that does not fit, up to 64 bits
      if (V.extract(b.value, a.a.width, width - a.a.width) !== 0) return t.false;
      return t.eq(a.a, t.extract(b, 0, a.a.width));
    case Op.Sext: {
      const low = t.extract(b, 0, a.a.width);
      return t.sext(low, width) === b ? t.eq(a.a, low) : t.false;
    }
    case Op.Concat: {
      if (a.height >= MAX_HEIGHT) return undefined;
      const cut = a.b.width;
      return t.and(t.eq(a.a, t.extract(b, cut, width - cut)), t.eq(a.b, t.extract(b, 0, cut))); // E5
    }
    case Op.Ite: {
      if (a.height >= MAX_HEIGHT) return undefined;
      if (a.b.op === Op.Const) {
        const rest = t.eq(a.c, b);
        return a.b === b ? t.or(a.a, rest) : t.and(t.not(a.a), rest); // E6
      }
      if (a.c.op === Op.Const) {
        const rest = t.eq(a.b, b);
        return a.c === b ? t.or(t.not(a.a), rest) : t.and(a.a, rest);
      }
      return undefined;
    }
    default:
      // No rule applies to other operators, which is always sound.
      return undefined;
  }
}

/**
 * Whether two terms are equal because their low parts are, and the rest follows from these: a sum
 * or product that is computed with more bits and does not overflow, and its extended result.
 */
function areEqualByLowParts(t: Terms, a: Term, b: Term): boolean {
  const width = extendedFrom(a) ?? extendedFrom(b);
  if (width === undefined) return false;
  const { facts } = t;
  const limit = 2 ** width;
  const fitsSigned = ({ id }: Term): boolean => facts.smin[id]! >= -limit / 2 && facts.smax[id]! < limit / 2;
  const fitsUnsigned = ({ id }: Term): boolean => facts.umax[id]! < limit;
  const fit = (fitsSigned(a) && fitsSigned(b)) || (fitsUnsigned(a) && fitsUnsigned(b));
  return fit && t.extract(a, 0, width) === t.extract(b, 0, width);
}

/** The width before the term was extended or, since a product is extended by factors, a factor. */
function extendedFrom(term: Term): number | undefined {
  const isExtended = ({ op }: Term): boolean => op === Op.Zext || op === Op.Sext;
  if (isExtended(term)) return term.a.width;
  if (term.op !== Op.Mul) return undefined;
  return isExtended(term.a) ? term.a.a.width : isExtended(term.b) ? term.b.a.width : undefined;
}

/** For x + y and x, or x + y and x + z: both without x. */
function withoutCommonSummand(t: Terms, a: Term, b: Term): [Term, Term] | undefined {
  if (a.op !== Op.Add) return undefined;
  if (a.a === b) return [a.b, t.constant(a.width, 0)];
  if (a.b === b) return [a.a, t.constant(a.width, 0)];
  if (b.op !== Op.Add) return undefined;
  if (a.a === b.a) return [a.b, b.b];
  if (a.b === b.b) return [a.a, b.a];
  if (a.a === b.b) return [a.b, b.a];
  if (a.b === b.a) return [a.a, b.b];
  return undefined;
}

export function ult(t: Terms, a: Term, b: Term): Term {
  if (a === b) return t.false; // L1
  const { width } = a;
  const { facts } = t;
  if (facts.umax[a.id]! < facts.umin[b.id]!) return t.true;
  // Intervals that touch cannot hold x < y: umin(a) >= umax(b).
  if (facts.umin[a.id]! >= facts.umax[b.id]!) return t.false;
  if (width === 1) return t.and(t.not(a), b); // L5
  if (b.op === Op.Const) {
    if (b.value === 1) return t.eq(a, t.constant(width, 0)); // L2
    if (b.value === V.allOnes(width)) return t.not(t.eq(a, b));
    if (a.op === Op.Zext) {
      const inner = a.a.width;
      if (V.extract(b.value, inner, width - inner) !== 0) return t.true; // L3
      return t.ult(a.a, t.extract(b, 0, inner));
    }
  } else if (a.op === Op.Const) {
    if (a.value === 0) return t.not(t.eq(b, a)); // L2
    if (a.value === V.sub(width, V.allOnes(width), 1)) return t.eq(b, t.constant(width, V.allOnes(width)));
    if (b.op === Op.Zext) {
      const inner = b.a.width;
      if (V.extract(a.value, inner, width - inner) !== 0) return t.false; // L3
      return t.ult(t.extract(a, 0, inner), b.a);
    }
  }
  if ((a.op === Op.Zext || a.op === Op.Sext) && b.op === a.op && a.a.width === b.a.width)
    return t.ult(a.a, b.a); // L3
  if (a.op === Op.Concat && b.op === Op.Concat && a.a === b.a) return t.ult(a.b, b.b); // L4
  if (a.op === Op.Urem && a.b === b) return t.not(t.eq(b, t.constant(width, 0))); // L6
  return ultProduct(t, a, b) ?? t.node(Op.Ult, 1, a, b);
}

export function slt(t: Terms, a: Term, b: Term): Term {
  if (a === b) return t.false;
  const { width } = a;
  const { facts } = t;
  if (facts.smax[a.id]! < facts.smin[b.id]!) return t.true;
  if (facts.smin[a.id]! >= facts.smax[b.id]!) return t.false;
  if (width === 1) return t.and(a, t.not(b)); // L5
  const bothPositive = facts.smin[a.id]! >= 0 && facts.smin[b.id]! >= 0;
  const bothNegative = facts.smax[a.id]! < 0 && facts.smax[b.id]! < 0;
  if (bothPositive || bothNegative) return t.ult(a, b); // G1
  if (b.op === Op.Const && b.value === 0) return t.extract(a, width - 1, 1); // G2
  if (a.op === Op.Const && a.value === V.allOnes(width)) return t.not(t.extract(b, width - 1, 1));
  if (a.op === Op.Sext && b.op === Op.Sext && a.a.width === b.a.width) return t.slt(a.a, b.a); // G3
  if (a.op === Op.Sext && b.op === Op.Const) {
    const low = t.extract(b, 0, a.a.width);
    if (t.sext(low, width) === b) return t.slt(a.a, low);
  }
  if (b.op === Op.Sext && a.op === Op.Const) {
    const low = t.extract(a, 0, b.a.width);
    if (t.sext(low, width) === a) return t.slt(low, b.a);
  }
  return t.node(Op.Slt, 1, a, b);
}
