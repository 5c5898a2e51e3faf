/**
 * For which values of one byte of an input a condition holds.
 *
 * Every term of the condition is given its 256 values at once, operands first: a condition is looked at once in an exploration, and
 * an evaluation for each value would walk its graph 256 times. A table of constants that is read at the byte (`isdigit(c)`) is a
 * function of the byte like any other.
 */
import { baseOf, Op, type Term } from '../expr/term.js';
import { BINARY_VALUE } from '../expr/terms.js';
import type { Value } from '../expr/value.js';
import * as V from '../expr/value.js';
import { forEachTerm } from '../expr/walk.js';
import { assert } from '../support/assert.js';

/** 256 bits. */
export type ByteSet = Uint32Array;

/** A condition on one byte of an input. */
export interface ByteCondition {
  readonly leaf: Term;
  readonly truth: ByteSet;
}

/** Larger conditions are left to the solver. */
const TALLEST = 24;

export function isByteLeaf(term: Term): boolean {
  return term.op === Op.Read && term.a.isConst && term.array?.kind === 'symbolic';
}

/** The bytes and variables that a term depends on, and its reads of inputs at indices that are not known. */
export function leavesOf(term: Term): Set<Term> {
  const leaves = new Set<Term>();
  forEachTerm([term], part => {
    if (part.op === Op.Var || (part.op === Op.Read && baseOf(part.array!).kind === 'symbolic'))
      leaves.add(part);
  });
  return leaves;
}

/** Undefined if the condition depends on more than one byte. */
export function byteCondition(term: Term): ByteCondition | undefined {
  if (term.height > TALLEST) return undefined;
  const [leaf, ...others] = leavesOf(term);
  if (leaf === undefined || others.length > 0 || !isByteLeaf(leaf)) return undefined;
  const values = new ByteFunction(leaf).of(term);
  const truth = new Uint32Array(8);
  for (let byte = 0; byte < 256; byte++) if (values[byte] === 1) truth[byte >> 5]! |= 1 << (byte & 31);
  return { leaf, truth };
}

/** The values of a term, by the value of the byte. */
type Table = readonly Value[];

const identity: Table = Array.from({ length: 256 }, (_, byte) => byte);

class ByteFunction {
  readonly #known: Map<Term, Table>;

  constructor(leaf: Term) {
    this.#known = new Map([[leaf, identity]]);
  }

  of(term: Term): Table {
    let table = this.#known.get(term);
    if (table === undefined) {
      table = this.#compute(term);
      this.#known.set(term, table);
    }
    return table;
  }

  #compute(term: Term): Table {
    const { op, width, a, b } = term;
    switch (op) {
      case Op.Const:
        return new Array<Value>(256).fill(term.value);
      case Op.Read:
        return this.of(a).map((index, byte) => this.#read(term, index, byte));
      case Op.Not:
        return this.of(a).map(value => V.not(width, value));
      case Op.Extract:
        return this.of(a).map(value => V.extract(value, term.offset, width));
      case Op.Zext:
        return this.of(a);
      case Op.Sext:
        return this.of(a).map(value => V.sext(a.width, width, value));
      case Op.Concat:
        return this.#combine(a, b, (high, low) => V.concat(b.width, high, low));
      case Op.Ite: {
        const [chosen, other] = [this.of(b), this.of(term.c)];
        return this.of(a).map((holds, byte) => (holds === 1 ? chosen : other)[byte]!);
      }
      default: {
        const apply = BINARY_VALUE[op];
        assert(apply, `no value for operator ${op}`);
        return this.#combine(a, b, (x, y) => apply(a.width, x, y));
      }
    }
  }

  #combine(a: Term, b: Term, apply: (a: Value, b: Value) => Value): Table {
    const second = this.of(b);
    return this.of(a).map((value, byte) => apply(value, second[byte]!));
  }

  /** Requires a read of constants, with writes on top or not. */
  #read(term: Term, index: Value, byte: number): Value {
    let top = term.array!;
    for (; top.kind === 'written'; top = top.below)
      if (this.of(top.index)[byte] === index) return this.of(top.byte)[byte]!;
    assert(top.kind === 'constant', 'reads of inputs are leaves');
    return top.bytes[Number(index)] ?? 0;
  }
}
