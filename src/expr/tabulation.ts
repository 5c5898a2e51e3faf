/**
 * The values of terms on a list of assignments, all at once.
 *
 *     row          0  1  2  3 ...
 *     x            0  1  2  3          given for the leaves
 *     x + 1        1  2  3  4          a table for each term, from those of its operands
 *     x + 1 < 3    1  1  0  0
 *
 * An `Evaluator` for each row would walk the graph once per row; here it is walked once, and terms
 * that are met again are known. Tables of terms of at most 32 bits are typed arrays.
 *
 * The walk keeps its own stack: tall terms are evaluated deep inside calls.
 */
import { assert } from '../support/assert.js';
import { Op, type Term } from './term.js';
import { BINARY_VALUE } from './terms.js';
import type { BitVectorValue } from './value.js';
import * as V from './value.js';
import { forEachOperand } from './walk.js';

/** The values of a term, by row. */
export type Table = Uint8Array | Uint32Array | BitVectorValue[];

export class Tabulation {
  readonly #rows: number;
  readonly #tables: Map<Term, Table>;

  /** The leaves are all that terms may depend on, besides constants. */
  constructor(rows: number, leaves: ReadonlyMap<Term, Table>) {
    this.#rows = rows;
    this.#tables = new Map(leaves);
  }

  /** The number of tables. */
  get size(): number {
    return this.#tables.size;
  }

  /**
   * Undefined if it needs more than this many new tables. Requires that all its leaves are given.
   */
  of(root: Term, mostNew: number): Table | undefined {
    const tables = this.#tables;
    const limit = tables.size + mostNew;
    const stack = [root];
    for (let term = stack.at(-1); term !== undefined; term = stack.at(-1)) {
      if (!tables.has(term) && this.#pushMissing(term, stack)) continue;
      stack.pop();
      if (tables.has(term)) continue;
      if (tables.size >= limit) return undefined;
      tables.set(term, this.#compute(term));
    }
    return tables.get(root);
  }

  /** Pushes what has to be known before the term; returns whether there was anything. */
  #pushMissing(term: Term, stack: Term[]): boolean {
    const before = stack.length;
    forEachOperand(term, operand => {
      if (!this.#tables.has(operand)) stack.push(operand);
    });
    return stack.length > before;
  }

  #compute(term: Term): Table {
    const { op, width, a, b } = term;
    switch (op) {
      case Op.Const:
        return this.#table(width).fill(term.value as never);
      case Op.Read:
        return this.#read(term);
      case Op.Not:
        return this.#map(width, a, value => V.not(width, value));
      case Op.Extract:
        return this.#map(width, a, value => V.extract(value, term.offset, width));
      case Op.Zext:
        return this.#map(width, a, value => value);
      case Op.Sext:
        return this.#map(width, a, value => V.sext(a.width, width, value));
      case Op.Concat:
        return this.#combine(width, a, b, (high, low) => V.concat(b.width, high, low));
      case Op.Ite: {
        const [holds, chosen, other] = [this.#at(a), this.#at(b), this.#at(term.c)];
        return this.#fill(width, row => (holds[row] === 1 ? chosen : other)[row]!);
      }
      default: {
        // `BINARY_VALUE` has rows for binary operators only, so the compiler checks that no other
        // is left.
        assert(op !== Op.Var, 'the table of a variable is given');
        const apply = BINARY_VALUE[op];
        return this.#combine(width, a, b, (x, y) => apply(a.width, x, y));
      }
    }
  }

  #map(width: number, a: Term, apply: (value: BitVectorValue) => BitVectorValue): Table {
    const values = this.#at(a);
    return this.#fill(width, row => apply(values[row]!));
  }

  #combine(
    width: number,
    a: Term,
    b: Term,
    apply: (a: BitVectorValue, b: BitVectorValue) => BitVectorValue,
  ): Table {
    const [first, second] = [this.#at(a), this.#at(b)];
    return this.#fill(width, row => apply(first[row]!, second[row]!));
  }

  /**
   * An array of constants, with writes on top or not. Below the last write at an unknown index
   * writes are looked up: objects with symbolic bytes have many.
   */
  #read({ width, a, array }: Term): Table {
    const indices = this.#at(a);
    const writes: { readonly index: Table; readonly byte: Table }[] = [];
    let searched = 0;
    const atKnown = new Map<BitVectorValue, Table>();
    let base = array!;
    for (; base.kind === 'written'; base = base.below) {
      const { index, byte } = base;
      if (index.isConst && !atKnown.has(index.value)) atKnown.set(index.value, this.#at(byte));
      writes.push({ index: this.#at(index), byte: this.#at(byte) });
      // Writes above one at a symbolic index are not considered.
      if (!index.isConst) {
        atKnown.clear();
        searched = writes.length;
      }
    }
    assert(base.kind === 'constant', 'reads of inputs are leaves');
    const { bytes } = base;
    return this.#fill(width, row => {
      const index = indices[row]!;
      for (let i = 0; i < searched; i++) if (writes[i]!.index[row] === index) return writes[i]!.byte[row]!;
      return atKnown.get(index)?.[row] ?? bytes[Number(index)] ?? 0;
    });
  }

  #fill(width: number, valueAt: (row: number) => BitVectorValue): Table {
    const table = this.#table(width);
    for (let row = 0; row < this.#rows; row++) table[row] = valueAt(row) as never;
    return table;
  }

  #table(width: number): Table {
    if (width <= 8) return new Uint8Array(this.#rows);
    return width <= 32 ? new Uint32Array(this.#rows) : new Array<BitVectorValue>(this.#rows).fill(0);
  }

  /** Requires that it is computed already. */
  #at(operand: Term): Table {
    return this.#tables.get(operand)!;
  }
}
