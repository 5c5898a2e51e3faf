/**
 * `Terms` makes all terms of one run: each constructor brings its result into canonical form and
 * returns the one object that stands for it.
 *
 * **The memo.** One open-addressing table maps what was requested, (operator, operand ids,
 * parameters), to the canonical result. It is hash-consing and the memo of the rewrite rules at
 * once: a second request for the same thing costs one probe, whatever rules its first took, and
 * rules that descend into shared graphs stay linear.
 *
 *      add(x, 0)  ─▶ [Add, x, 0] ─▶ x                a rule fired: the key leads to another term
 *      add(x, y)  ─▶ [Add, x, y] ─▶ Add(x, y)        canonical already: the key leads to its own node
 *
 * **Canonical forms.** The rules are written at the top of the file that holds them; these hold for
 * all terms:
 *   C1  an operator over constants is a constant;
 *   C2  a term whose facts leave one value is that constant;
 *   C3  commutative operators have a constant on the right, else the older term on the left;
 *   C4  an operator with a constant over `ite(c, constant, constant)` moves into the arms;
 *   C5  there are no operators for neg, ne, ule, ugt, uge, sle, sgt, sge: they are written with the others.
 * Arithmetic: `rules-arithmetic.ts`; and, or, xor, not: `rules-bitwise.ts`; comparisons:
 * `rules-compare.ts`; concat, extract, extensions, ite: `rules-structure.ts`; arrays:
 * `rules-array.ts`.
 *
 * **Invariants.** Ids are dense and children have smaller ids than parents. Results depend only on
 * the sequence of calls, never on time or memory addresses. Operands of different `Terms` must not
 * be mixed.
 *
 * Terms live as long as their `Terms`: weak references would cost more than the terms they free.
 */
import { assert } from '../support/assert.js';
import * as arithmetic from './rules-arithmetic.js';
import * as arrays from './rules-array.js';
import * as bitwise from './rules-bitwise.js';
import * as compare from './rules-compare.js';
import * as structure from './rules-structure.js';
import {
  type BinaryOp,
  BYTE_WIDTH,
  type ByteArray,
  baseOf,
  type ConstantArray,
  INDEX_WIDTH,
  NO_DETAIL,
  Op,
  type SymbolicArray,
  Term,
  type TwoOperandOp,
} from './term.js';
import { Facts } from './term-facts.js';
import type { BitVectorValue } from './value.js';
import * as V from './value.js';

export const MAX_WIDTH = 65536;

type BinaryRule = (t: Terms, a: Term, b: Term) => Term;

const bool = (x: boolean): number => (x ? 1 : 0);

/** The function of each binary operator on values, used for folding and evaluation. */
export const BINARY_VALUE: Readonly<
  Record<BinaryOp, (width: number, a: BitVectorValue, b: BitVectorValue) => BitVectorValue>
> = {
  [Op.Add]: V.add,
  [Op.Sub]: V.sub,
  [Op.Mul]: V.mul,
  [Op.Udiv]: V.udiv,
  [Op.Sdiv]: V.sdiv,
  [Op.Urem]: V.urem,
  [Op.Srem]: V.srem,
  [Op.Shl]: V.shl,
  [Op.Lshr]: V.lshr,
  [Op.Ashr]: V.ashr,
  [Op.And]: V.and,
  [Op.Or]: V.or,
  [Op.Xor]: V.xor,
  [Op.Eq]: (_w, a, b) => bool(a === b),
  [Op.Ult]: (_w, a, b) => bool(a < b),
  [Op.Slt]: (w, a, b) => bool(V.slt(w, a, b)),
};

const BINARY_RULE: Readonly<Record<BinaryOp, BinaryRule>> = {
  [Op.Add]: arithmetic.add,
  [Op.Sub]: arithmetic.sub,
  [Op.Mul]: arithmetic.mul,
  [Op.Udiv]: arithmetic.udiv,
  [Op.Sdiv]: arithmetic.sdiv,
  [Op.Urem]: arithmetic.urem,
  [Op.Srem]: arithmetic.srem,
  [Op.Shl]: arithmetic.shl,
  [Op.Lshr]: arithmetic.lshr,
  [Op.Ashr]: arithmetic.ashr,
  [Op.And]: bitwise.and,
  [Op.Or]: bitwise.or,
  [Op.Xor]: bitwise.xor,
  [Op.Eq]: compare.eq,
  [Op.Ult]: compare.ult,
  [Op.Slt]: compare.slt,
};

export class Terms {
  readonly facts: Facts = new Facts();
  /**
   * The number of terms that were asked for, new or not: a measure of the work on terms that is the
   * same on every machine. A read of a memory with a thousand symbolic writes asks for a thousand.
   */
  lookups = 0;
  readonly true: Term;
  readonly false: Term;

  #nextId = 0;
  #nextArrayId = 0;
  readonly #constants = new Map<number, Map<BitVectorValue, Term>>();
  readonly #variables = new Map<string, Term>();
  readonly #symbolicArrays = new Map<string, SymbolicArray>();
  readonly #constantArrays = new Map<number, ConstantArray[]>();
  readonly #writes = new Map<number, Map<number, ByteArray>>();

  // The memo: slot i holds the key in keys[4i..4i+3] and its canonical result in results[i].
  #keys = new Int32Array(4 * 4096);
  #results: (Term | undefined)[] = new Array(4096).fill(undefined);
  #slotMask = 4095;
  #used = 0;

  constructor() {
    this.false = this.constant(1, 0);
    this.true = this.constant(1, 1);
  }

  /** How many terms exist. */
  get count(): number {
    return this.#nextId;
  }

  // ------------------------------------------------------------------ leaves

  /** The constant with these low `width` bits; negative numbers are taken in two's complement. */
  constant(width: number, value: number | bigint): Term {
    let ofWidth = this.#constants.get(width);
    if (ofWidth === undefined) {
      assert(width >= 1 && width <= MAX_WIDTH, `bit-vector width ${width}`);
      ofWidth = new Map();
      this.#constants.set(width, ofWidth);
    }
    const v = V.toValue(width, value);
    let term = ofWidth.get(v);
    if (term === undefined) {
      term = new Term(this.#nextId++, Op.Const, width, { ...NO_DETAIL, value: v });
      this.facts.learn(term);
      ofWidth.set(v, term);
    }
    return term;
  }

  bool(value: boolean): Term {
    return value ? this.true : this.false;
  }

  /** The variable of this name; one name has one width. */
  variable(name: string, width: number): Term {
    let term = this.#variables.get(name);
    if (term === undefined) {
      assert(width >= 1 && width <= MAX_WIDTH, `bit-vector width ${width}`);
      term = new Term(this.#nextId++, Op.Var, width, { ...NO_DETAIL, name });
      this.facts.learn(term);
      this.#variables.set(name, term);
    }
    assert(term.width === width, `variable ${name} has ${term.width} bits, not ${width}`);
    return term;
  }

  /** The variable that `variable` made under a name. */
  knownVariable(name: string): Term | undefined {
    return this.#variables.get(name);
  }

  // ------------------------------------------------------------------ arrays

  /** The symbolic array of this name; one name has one length. */
  symbolicArray(name: string, byteLength: number): SymbolicArray {
    let array = this.#symbolicArrays.get(name);
    if (array === undefined) {
      array = { kind: 'symbolic', id: this.#nextArrayId++, name, byteLength };
      this.#symbolicArrays.set(name, array);
    }
    assert(array.byteLength === byteLength, `array ${name} has ${array.byteLength} bytes, not ${byteLength}`);
    return array;
  }

  /** The array that `symbolicArray` made under a name. */
  knownArray(name: string): SymbolicArray | undefined {
    return this.#symbolicArrays.get(name);
  }

  /** A table of bytes; equal contents give the same array. The bytes are copied. */
  constantArray(bytes: Uint8Array): ConstantArray {
    let hash = bytes.length;
    for (let i = 0; i < bytes.length; i++) hash = (Math.imul(hash, 31) + bytes[i]!) | 0;
    const candidates = this.#constantArrays.get(hash) ?? [];
    for (const array of candidates) if (sameBytes(array.bytes, bytes)) return array;
    const array: ConstantArray = {
      kind: 'constant',
      id: this.#nextArrayId++,
      byteLength: bytes.length,
      bytes: bytes.slice(),
    };
    this.#constantArrays.set(hash, [...candidates, array]);
    return array;
  }

  /** The array with the byte at `index` replaced. */
  write(array: ByteArray, index: Term, byte: Term): ByteArray {
    assert(
      index.width === INDEX_WIDTH && byte.width === BYTE_WIDTH,
      'a write takes a 32-bit index and a byte',
    );
    const below = arrays.belowWrite(array, index);
    let ofIndex = this.#writes.get(below.id);
    if (ofIndex === undefined) {
      ofIndex = new Map();
      this.#writes.set(below.id, ofIndex);
    }
    const key = index.id * 2 ** 26 + byte.id;
    let written = ofIndex.get(key);
    if (written === undefined) {
      const { byteLength } = below;
      written = {
        kind: 'written',
        id: this.#nextArrayId++,
        byteLength,
        below,
        index,
        byte,
        base: baseOf(below),
      };
      ofIndex.set(key, written);
    }
    return written;
  }

  read(array: ByteArray, index: Term): Term {
    const found = this.#find(Op.Read, array.id, index.id, 0);
    if (found !== undefined) return found;
    assert(index.width === INDEX_WIDTH, 'a read takes a 32-bit index');
    return this.#keep(Op.Read, array.id, index.id, 0, arrays.read(this, array, index));
  }

  // ------------------------------------------------------------------ arithmetic

  add(a: Term, b: Term): Term {
    return this.#commutative(Op.Add, a, b);
  }

  sub(a: Term, b: Term): Term {
    return this.#binary(Op.Sub, a, b);
  }

  mul(a: Term, b: Term): Term {
    return this.#commutative(Op.Mul, a, b);
  }

  udiv(a: Term, b: Term): Term {
    return this.#binary(Op.Udiv, a, b);
  }

  sdiv(a: Term, b: Term): Term {
    return this.#binary(Op.Sdiv, a, b);
  }

  urem(a: Term, b: Term): Term {
    return this.#binary(Op.Urem, a, b);
  }

  srem(a: Term, b: Term): Term {
    return this.#binary(Op.Srem, a, b);
  }

  /** -a */
  neg(a: Term): Term {
    return this.#binary(Op.Sub, this.constant(a.width, 0), a);
  }

  shl(a: Term, b: Term): Term {
    return this.#binary(Op.Shl, a, b);
  }

  lshr(a: Term, b: Term): Term {
    return this.#binary(Op.Lshr, a, b);
  }

  ashr(a: Term, b: Term): Term {
    return this.#binary(Op.Ashr, a, b);
  }

  // ------------------------------------------------------------------ bits and booleans

  and(a: Term, b: Term): Term {
    return this.#commutative(Op.And, a, b);
  }

  or(a: Term, b: Term): Term {
    return this.#commutative(Op.Or, a, b);
  }

  xor(a: Term, b: Term): Term {
    return this.#commutative(Op.Xor, a, b);
  }

  not(a: Term): Term {
    const found = this.#find(Op.Not, a.id, 0, 0);
    return found ?? this.#keep(Op.Not, a.id, 0, 0, bitwise.not(this, a));
  }

  // ------------------------------------------------------------------ comparisons

  eq(a: Term, b: Term): Term {
    return this.#commutative(Op.Eq, a, b);
  }

  ne(a: Term, b: Term): Term {
    return this.not(this.eq(a, b));
  }

  ult(a: Term, b: Term): Term {
    return this.#binary(Op.Ult, a, b);
  }

  ule(a: Term, b: Term): Term {
    return this.not(this.ult(b, a));
  }

  ugt(a: Term, b: Term): Term {
    return this.ult(b, a);
  }

  uge(a: Term, b: Term): Term {
    return this.not(this.ult(a, b));
  }

  slt(a: Term, b: Term): Term {
    return this.#binary(Op.Slt, a, b);
  }

  sle(a: Term, b: Term): Term {
    return this.not(this.slt(b, a));
  }

  sgt(a: Term, b: Term): Term {
    return this.slt(b, a);
  }

  sge(a: Term, b: Term): Term {
    return this.not(this.slt(a, b));
  }

  // ------------------------------------------------------------------ structure

  /** `high` above `low`. */
  concat(high: Term, low: Term): Term {
    const found = this.#find(Op.Concat, high.id, low.id, 0);
    return found ?? this.#keep(Op.Concat, high.id, low.id, 0, structure.concat(this, high, low));
  }

  /** The `width` bits of `a` from bit `offset` on. */
  extract(a: Term, offset: number, width: number): Term {
    if (width === a.width) return a;
    const found = this.#find(Op.Extract, a.id, offset, width);
    if (found !== undefined) return found;
    assert(
      offset >= 0 && width >= 1 && offset + width <= a.width,
      `extract ${width} bits at ${offset} of ${a.width}`,
    );
    return this.#keep(Op.Extract, a.id, offset, width, structure.extract(this, a, offset, width));
  }

  zext(a: Term, width: number): Term {
    if (width === a.width) return a;
    const found = this.#find(Op.Zext, a.id, width, 0);
    if (found !== undefined) return found;
    assert(width > a.width, `zext from ${a.width} to ${width} bits`);
    return this.#keep(Op.Zext, a.id, width, 0, structure.zext(this, a, width));
  }

  sext(a: Term, width: number): Term {
    if (width === a.width) return a;
    const found = this.#find(Op.Sext, a.id, width, 0);
    if (found !== undefined) return found;
    assert(width > a.width, `sext from ${a.width} to ${width} bits`);
    return this.#keep(Op.Sext, a.id, width, 0, structure.sext(this, a, width));
  }

  /** `condition ? yes : no`; the condition has width 1. */
  ite(condition: Term, yes: Term, no: Term): Term {
    const found = this.#find(Op.Ite, condition.id, yes.id, no.id);
    if (found !== undefined) return found;
    assert(condition.width === 1 && yes.width === no.width, 'ite takes a boolean and two terms of one width');
    return this.#keep(Op.Ite, condition.id, yes.id, no.id, structure.ite(this, condition, yes, no));
  }

  /** The term of an operator given as data. */
  binary(op: TwoOperandOp, a: Term, b: Term): Term {
    switch (op) {
      case Op.Add:
      case Op.Mul:
      case Op.And:
      case Op.Or:
      case Op.Xor:
      case Op.Eq:
        return this.#commutative(op, a, b);
      case Op.Concat:
        return this.concat(a, b);
      case Op.Sub:
      case Op.Udiv:
      case Op.Sdiv:
      case Op.Urem:
      case Op.Srem:
      case Op.Shl:
      case Op.Lshr:
      case Op.Ashr:
      case Op.Ult:
      case Op.Slt:
        return this.#binary(op, a, b);
    }
  }

  // ------------------------------------------------------------------ for the rules only

  /**
   * The node itself, to which no rule applies any more. Only a rule may call this, as its last
   * resort, with the very operands it was called with.
   */
  node(op: Op, width: number, a: Term, b?: Term, c?: Term, offset: number = 0, array?: ByteArray): Term {
    const detail = offset === 0 && array === undefined ? NO_DETAIL : { value: 0, offset, name: '', array };
    const term = new Term(this.#nextId, op, width, detail, a, b, c);
    this.facts.learn(term);
    const value = this.#onlyValue(term);
    if (value !== undefined) return this.constant(width, value);
    this.#nextId++;
    return term;
  }

  /** C2: the value that the facts of a term leave, if it is only one. */
  #onlyValue(term: Term): BitVectorValue | undefined {
    const { id, width } = term;
    const { umin, umax, smin, smax, knownLow, knownHigh, onesLow, onesHigh } = this.facts;
    if (umin[id] === umax[id] && umax[id]! < 2 ** 53) return umin[id]!;
    if (smin[id] === smax[id] && smin[id]! > -(2 ** 53)) return V.toValue(width, smin[id]!);
    if (width > 64) return undefined;
    const allLow = width >= 32 ? -1 : (1 << width) - 1;
    const allHigh = width <= 32 ? 0 : width === 64 ? -1 : (1 << (width - 32)) - 1;
    if (knownLow[id] !== allLow || knownHigh[id] !== allHigh) return undefined;
    return V.concat(32, onesHigh[id]! >>> 0, onesLow[id]! >>> 0);
  }

  #commutative(op: BinaryOp, a: Term, b: Term): Term {
    // C3: a constant to the right, else the older term to the left.
    return a.op === Op.Const || (b.op !== Op.Const && b.id < a.id)
      ? this.#binary(op, b, a)
      : this.#binary(op, a, b);
  }

  #binary(op: BinaryOp, a: Term, b: Term): Term {
    const found = this.#find(op, a.id, b.id, 0);
    if (found !== undefined) return found;
    assert(a.width === b.width, `${Op[op]} of ${a.width} and ${b.width} bits`);
    return this.#keep(op, a.id, b.id, 0, this.#simplifyBinary(op, a, b));
  }

  #simplifyBinary(op: BinaryOp, a: Term, b: Term): Term {
    if (a.op === Op.Const && b.op === Op.Const) {
      const width = op === Op.Eq || op === Op.Ult || op === Op.Slt ? 1 : a.width;
      return this.constant(width, BINARY_VALUE[op](a.width, a.value, b.value));
    }
    // C4
    if (b.op === Op.Const && isConstantChoice(a)) {
      return this.ite(a.a, this.#binary(op, a.b, b), this.#binary(op, a.c, b));
    }
    if (a.op === Op.Const && isConstantChoice(b)) {
      return this.ite(b.a, this.#binary(op, a, b.b), this.#binary(op, a, b.c));
    }
    return BINARY_RULE[op](this, a, b);
  }

  // ------------------------------------------------------------------ the memo

  #find(op: Op, i: number, j: number, k: number): Term | undefined {
    this.lookups++;
    const keys = this.#keys;
    const mask = this.#slotMask;
    let slot = hash(op, i, j, k) & mask;
    for (;;) {
      const result = this.#results[slot];
      if (result === undefined) return undefined;
      const at = slot << 2;
      if (keys[at] === op && keys[at + 1] === i && keys[at + 2] === j && keys[at + 3] === k) return result;
      slot = (slot + 1) & mask;
    }
  }

  #keep(op: Op, i: number, j: number, k: number, result: Term): Term {
    if (2 * this.#used > this.#slotMask) this.#growMemo();
    const mask = this.#slotMask;
    let slot = hash(op, i, j, k) & mask;
    while (this.#results[slot] !== undefined) slot = (slot + 1) & mask;
    const at = slot << 2;
    this.#keys[at] = op;
    this.#keys[at + 1] = i;
    this.#keys[at + 2] = j;
    this.#keys[at + 3] = k;
    this.#results[slot] = result;
    this.#used++;
    return result;
  }

  #growMemo(): void {
    const oldKeys = this.#keys;
    const oldResults = this.#results;
    const slots = oldResults.length * 2;
    this.#keys = new Int32Array(4 * slots);
    this.#results = new Array(slots).fill(undefined);
    this.#slotMask = slots - 1;
    for (let old = 0; old < oldResults.length; old++) {
      const result = oldResults[old];
      if (result === undefined) continue;
      const at = old << 2;
      let slot = hash(oldKeys[at]!, oldKeys[at + 1]!, oldKeys[at + 2]!, oldKeys[at + 3]!) & this.#slotMask;
      while (this.#results[slot] !== undefined) slot = (slot + 1) & this.#slotMask;
      this.#keys.set(oldKeys.subarray(at, at + 4), slot << 2);
      this.#results[slot] = result;
    }
  }
}

function hash(op: number, i: number, j: number, k: number): number {
  let h = Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(j + op * 0x10001, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15) ^ k, 0xc2b2ae35);
  return h ^ (h >>> 13);
}

export function isConstantChoice(term: Term): boolean {
  return term.op === Op.Ite && term.b.op === Op.Const && term.c.op === Op.Const;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
