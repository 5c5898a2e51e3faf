/**
 * For which values of one byte of an input a condition holds.
 *
 * Every term of the condition is given its 256 values at once, operands first: a condition is looked at once in an exploration, and
 * an evaluation for each value would walk its graph 256 times. Even for hundreds of terms with products and divisions (a number that is parsed, rounded and
 * printed again) that is less than what a solver needs to begin with. A table of constants that is read at the byte (`isdigit(c)`) is a
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

/** Larger conditions are left to the solver: the 256 values of so many terms take some 10 ms. */
const MOST_TERMS = 2000;
/** Taller ones are not even counted. */
const TALLEST = 500;

/** So many tables are kept for the next condition on the same byte: conditions of one computation share most of their terms. */
const MOST_KEPT = 4000;

export function isByteLeaf(term: Term): boolean {
  return term.op === Op.Read && term.a.isConst && term.array?.kind === 'symbolic';
}

/** The bytes and variables that a term depends on, and its reads of inputs at indices that are not known. */
export function leavesOf(term: Term): Set<Term> {
  return partsOf(term).leaves;
}

function partsOf(term: Term): { readonly leaves: Set<Term>; readonly count: number } {
  const leaves = new Set<Term>();
  let count = 0;
  forEachTerm([term], part => {
    count++;
    if (part.op === Op.Var || (part.op === Op.Read && baseOf(part.array!).kind === 'symbolic'))
      leaves.add(part);
  });
  return { leaves, count };
}

/** Looks at conditions, most of them on the byte that the one before was on. */
export class ByteTruth {
  #function: ByteFunction | undefined;

  /** Undefined if the condition depends on more than one byte, or is too large. */
  of(term: Term): ByteCondition | undefined {
    if (term.height > TALLEST) return undefined;
    const { leaves, count } = partsOf(term);
    const [leaf] = leaves;
    if (leaf === undefined || leaves.size > 1 || !isByteLeaf(leaf) || count > MOST_TERMS) return undefined;
    if (this.#function?.leaf !== leaf || this.#function.size > MOST_KEPT)
      this.#function = new ByteFunction(leaf);
    const values = this.#function.of(term);
    const truth = new Uint32Array(8);
    for (let byte = 0; byte < 256; byte++) if (values[byte] === 1) truth[byte >> 5]! |= 1 << (byte & 31);
    return { leaf, truth };
  }
}

/** The values of a term, by the value of the byte. */
type Table = readonly Value[];

const identity: Table = Array.from({ length: 256 }, (_, byte) => byte);

class ByteFunction {
  readonly leaf: Term;
  readonly #tables: Map<Term, Table>;

  constructor(leaf: Term) {
    this.leaf = leaf;
    this.#tables = new Map([[leaf, identity]]);
  }

  /** How many tables there are. */
  get size(): number {
    return this.#tables.size;
  }

  of(term: Term): Table {
    const tables = this.#tables;
    // Operands first, so no recursion: tall conditions are asked about deep inside of the program's calls.
    forEachTerm([term], part => {
      if (!tables.has(part)) tables.set(part, this.#compute(part));
    });
    return tables.get(term)!;
  }

  #compute(term: Term): Table {
    const { op, width, a, b } = term;
    switch (op) {
      case Op.Const:
        return new Array<Value>(256).fill(term.value);
      case Op.Read:
        return this.#at(a).map((index, byte) => this.#read(term, index, byte));
      case Op.Not:
        return this.#at(a).map(value => V.not(width, value));
      case Op.Extract:
        return this.#at(a).map(value => V.extract(value, term.offset, width));
      case Op.Zext:
        return this.#at(a);
      case Op.Sext:
        return this.#at(a).map(value => V.sext(a.width, width, value));
      case Op.Concat:
        return this.#combine(a, b, (high, low) => V.concat(b.width, high, low));
      case Op.Ite: {
        const [chosen, other] = [this.#at(b), this.#at(term.c)];
        return this.#at(a).map((holds, byte) => (holds === 1 ? chosen : other)[byte]!);
      }
      default: {
        const apply = BINARY_VALUE[op];
        assert(apply, `no value for operator ${op}`);
        return this.#combine(a, b, (x, y) => apply(a.width, x, y));
      }
    }
  }

  #combine(a: Term, b: Term, apply: (a: Value, b: Value) => Value): Table {
    const second = this.#at(b);
    return this.#at(a).map((value, byte) => apply(value, second[byte]!));
  }

  /** Requires a read of constants, with writes on top or not. */
  #read(term: Term, index: Value, byte: number): Value {
    let top = term.array!;
    for (; top.kind === 'written'; top = top.below)
      if (this.#at(top.index)[byte] === index) return this.#at(top.byte)[byte]!;
    assert(top.kind === 'constant', 'reads of inputs are leaves');
    return top.bytes[Number(index)] ?? 0;
  }

  /** Requires that it is computed already. */
  #at(operand: Term): Table {
    return this.#tables.get(operand)!;
  }
}
