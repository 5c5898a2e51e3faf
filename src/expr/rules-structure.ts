/**
 * Canonical forms of concat, extract, zext, sext and ite: the wiring.
 *   X1  extract of extract, concat, zext, sext: the part that is meant, without the detour
 *   X2  low extract of x + y, x - y, x * y moves to the operands where both absorb it (or one becomes zero)
 *   X3  extract of x & y, x | y, x ^ y, ~x moves inside where the operator disappears by it
 *   X4  extract of ite moves into the arms where an arm absorbs it
 *   N1  concat is right-associated; neighbouring constants are joined
 *   N2  concat of neighbouring pieces of one term is one piece; also where X2–X4 changed the lower piece
 *   N3  concat 0 x = zext x;  concat (zext x) y = zext (concat x y)
 *   N4  concat of two ites on one condition is one ite; of a constant and an ite with constant arms likewise
 *   Z1  zext of zext, sext of sext is one extension; sext of a term with known positive sign is a zext
 *   Z2  zext, sext of ite with constant arms moves into the arms
 *   Z3  zext, sext of x + y or x * y moves to the operands if the facts exclude that the operation wraps: so a
 *       check whether a sum of bytes overflows an int is a constant
 *   I1  constant condition; equal arms; ite on ~c swaps the arms; ite inside an arm on the same condition is resolved
 *   I2  at width 1: ite with a constant arm is and/or
 *
 * X2 and X4 are the rewrites that decide whether a choice between two addresses with equal low
 * halves costs a solver call. They apply only where something is absorbed: bytes stored to memory
 * and read back must find their way to the word they came from (N2), and pieces of a sum would not.
 */
import { Op, type Term } from './term.js';
import { isConstantChoice, type Terms } from './terms.js';
import * as V from './value.js';

/** X2–X4 and Z3 walk down; see `height` in `term.ts`. */
const MAX_HEIGHT = 256;

export function extract(t: Terms, a: Term, offset: number, width: number): Term {
  const moved = extractInside(t, a, offset, width);
  return moved ?? t.node(Op.Extract, width, a, undefined, undefined, offset);
}

function extractInside(t: Terms, a: Term, offset: number, width: number): Term | undefined {
  switch (a.op) {
    case Op.Const:
      return t.constant(width, V.extract(a.value, offset, width));
    case Op.Extract:
      return t.extract(a.a, a.offset + offset, width); // X1
    case Op.Concat: {
      const cut = a.b.width;
      if (offset >= cut) return t.extract(a.a, offset - cut, width);
      if (offset + width <= cut) return t.extract(a.b, offset, width);
      return t.concat(t.extract(a.a, 0, offset + width - cut), t.extract(a.b, offset, cut - offset));
    }
    case Op.Zext: {
      const inner = a.a.width;
      if (offset >= inner) return t.constant(width, 0);
      if (offset + width <= inner) return t.extract(a.a, offset, width);
      return t.zext(t.extract(a.a, offset, inner - offset), width);
    }
    case Op.Sext: {
      const inner = a.a.width;
      if (offset + width <= inner) return t.extract(a.a, offset, width);
      const from = Math.min(offset, inner - 1);
      return t.sext(t.extract(a.a, from, inner - from), width);
    }
    case Op.Ite: {
      if (!absorbs(a.b) && !absorbs(a.c)) return undefined;
      return t.ite(a.a, t.extract(a.b, offset, width), t.extract(a.c, offset, width)); // X4
    }
    case Op.Add:
    case Op.Sub:
    case Op.Mul: {
      if (offset !== 0 || a.height > MAX_HEIGHT) return undefined;
      const x = t.extract(a.a, 0, width);
      const y = t.extract(a.b, 0, width);
      const absorbed = !isPieceOf(x, a.a) && !isPieceOf(y, a.b);
      return absorbed || isZero(x) || isZero(y) ? t.binary(a.op, x, y) : undefined; // X2
    }
    case Op.And:
    case Op.Or:
    case Op.Xor: {
      if (a.height > MAX_HEIGHT) return undefined;
      const x = t.extract(a.a, offset, width);
      const y = t.extract(a.b, offset, width);
      if (!x.isConst && !y.isConst) return undefined;
      const moved = t.binary(a.op, x, y);
      return moved.op === a.op ? undefined : moved; // X3
    }
    case Op.Not: {
      const x = t.extract(a.a, offset, width);
      return x.isConst ? t.not(x) : undefined;
    }
    default:
      // No rule applies to other operators, which is always sound.
      return undefined;
  }
}

/** Whether an extract of this term is always simplified. One level only: ites do not count. */
function absorbs(a: Term): boolean {
  return (
    a.op === Op.Const || a.op === Op.Concat || a.op === Op.Zext || a.op === Op.Sext || a.op === Op.Extract
  );
}

function isPieceOf(piece: Term, whole: Term): boolean {
  return piece.op === Op.Extract && piece.a === whole;
}

function isZero(a: Term): boolean {
  return a.op === Op.Const && a.value === 0;
}

export function concat(t: Terms, high: Term, low: Term): Term {
  const width = high.width + low.width;
  if (high.op === Op.Const) {
    if (low.op === Op.Const) return t.constant(width, V.concat(low.width, high.value, low.value));
    if (high.value === 0) return t.zext(low, width); // N3
  }
  if (high.op === Op.Concat) return t.concat(high.a, t.concat(high.b, low)); // N1
  if (high.op === Op.Zext) return t.zext(t.concat(high.a, low), width); // N3
  const joined = joinPieces(t, high, low) ?? joinChoices(t, high, low);
  if (joined !== undefined) return joined;
  if (low.op === Op.Concat) {
    const upper = joinPieces(t, high, low.a) ?? joinChoices(t, high, low.a) ?? joinConstants(t, high, low.a);
    if (upper !== undefined) return t.concat(upper, low.b);
  }
  return t.node(Op.Concat, width, high, low);
}

function joinConstants(t: Terms, high: Term, low: Term): Term | undefined {
  return high.op === Op.Const && low.op === Op.Const ? t.concat(high, low) : undefined;
}

/**
 * N2: `high` is a piece of some term, and `low` is what an extract of the bits just below gives.
 */
function joinPieces(t: Terms, high: Term, low: Term): Term | undefined {
  if (high.op !== Op.Extract || high.offset < low.width) return undefined;
  const from = high.offset - low.width;
  if (low.op === Op.Extract && low.a === high.a) {
    return low.offset === from ? t.extract(high.a, from, high.width + low.width) : undefined;
  }
  if (low.op === Op.Const || low.op === Op.Read || low.op === Op.Var) return undefined;
  return t.extract(high.a, from, low.width) === low
    ? t.extract(high.a, from, high.width + low.width)
    : undefined;
}

/** N4 */
function joinChoices(t: Terms, high: Term, low: Term): Term | undefined {
  if (high.op === Op.Ite && low.op === Op.Ite && high.a === low.a) {
    return t.ite(high.a, t.concat(high.b, low.b), t.concat(high.c, low.c));
  }
  if (low.isConst && isConstantChoice(high))
    return t.ite(high.a, t.concat(high.b, low), t.concat(high.c, low));
  if (high.isConst && isConstantChoice(low))
    return t.ite(low.a, t.concat(high, low.b), t.concat(high, low.c));
  return undefined;
}

/** Whether x + y or x * y has, by the signed facts, the value it would have among the integers. */
function isSumOrProductInRange(t: Terms, a: Term): a is Term & { readonly op: Op.Add | Op.Mul } {
  if ((a.op !== Op.Add && a.op !== Op.Mul) || a.height >= MAX_HEIGHT) return false;
  const { smin, smax } = t.facts;
  const ends = [smin, smax].flatMap(x =>
    [smin, smax].map(y => (a.op === Op.Add ? x[a.a.id]! + y[a.b.id]! : x[a.a.id]! * y[a.b.id]!)),
  );
  const limit = 2 ** Math.min(a.width - 1, 52);
  return Math.min(...ends) >= -limit && Math.max(...ends) < limit;
}

export function zext(t: Terms, a: Term, width: number): Term {
  if (a.op === Op.Const) return t.constant(width, a.value);
  if (a.op === Op.Zext) return t.zext(a.a, width); // Z1
  if (isConstantChoice(a)) return t.ite(a.a, t.zext(a.b, width), t.zext(a.c, width)); // Z2
  if ((a.op === Op.Add || a.op === Op.Mul) && a.height < MAX_HEIGHT) {
    const { umax } = t.facts;
    const [x, y] = [umax[a.a.id]!, umax[a.b.id]!];
    const most = a.op === Op.Add ? x + y : x * y;
    if (most < 2 ** Math.min(a.width, 52)) return t.binary(a.op, t.zext(a.a, width), t.zext(a.b, width)); // Z3
  }
  return t.node(Op.Zext, width, a);
}

export function sext(t: Terms, a: Term, width: number): Term {
  if (a.op === Op.Const) return t.constant(width, V.sext(a.width, width, a.value));
  if (a.op === Op.Sext) return t.sext(a.a, width); // Z1
  if (t.facts.smin[a.id]! >= 0) return t.zext(a, width);
  if (isConstantChoice(a)) return t.ite(a.a, t.sext(a.b, width), t.sext(a.c, width)); // Z2
  if (isSumOrProductInRange(t, a)) return t.binary(a.op, t.sext(a.a, width), t.sext(a.b, width)); // Z3
  return t.node(Op.Sext, width, a);
}

export function ite(t: Terms, condition: Term, yes: Term, no: Term): Term {
  if (condition.op === Op.Const) return condition.value === 1 ? yes : no; // I1
  if (yes === no) return yes;
  if (condition.op === Op.Not) return t.ite(condition.a, no, yes);
  if (yes.op === Op.Ite && yes.a === condition) return t.ite(condition, yes.b, no);
  if (no.op === Op.Ite && no.a === condition) return t.ite(condition, yes, no.c);
  if (yes.width === 1) {
    // I2
    if (yes.isConst) return yes.value === 1 ? t.or(condition, no) : t.and(t.not(condition), no);
    if (no.isConst) return no.value === 1 ? t.or(t.not(condition), yes) : t.and(condition, yes);
    if (yes === condition) return t.or(condition, no);
    if (no === condition) return t.and(condition, yes);
  }
  return t.node(Op.Ite, yes.width, condition, yes, no);
}
