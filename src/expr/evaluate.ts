/**
 * The value of a term under an assignment.
 *
 * An `Evaluator` holds one assignment and remembers the value of every term it has met, so a graph
 * is walked once per assignment, however many constraints share its nodes. The walk keeps its own
 * stack: terms may be deeper than JavaScript's. Unassigned variables are zero and bytes beyond the
 * assigned ones too, which makes every assignment total.
 *
 * **Invariant.** The remembered values belong to the assignment given at construction; an evaluator
 * is never reused for another.
 */
import { arity, type ByteArray, Op, type Term } from './term.js';
import { BINARY_VALUE } from './terms.js';
import type { BitVectorValue } from './value.js';
import * as V from './value.js';

/** Values for variables and bytes for symbolic arrays, by name. */
export interface Assignment {
  readonly variables: ReadonlyMap<string, BitVectorValue>;
  readonly arrays: ReadonlyMap<string, Uint8Array>;
}

export const EMPTY_ASSIGNMENT: Assignment = { variables: new Map(), arrays: new Map() };

export class Evaluator {
  readonly #values: (BitVectorValue | undefined)[] = [];
  readonly #stack: Term[] = [];

  constructor(readonly assignment: Assignment) {}

  value(root: Term): BitVectorValue {
    if (root.op === Op.Const) return root.value;
    const values = this.#values;
    const known = values[root.id];
    if (known !== undefined) return known;
    const stack = this.#stack;
    stack.push(root);
    while (stack.length > 0) {
      const term = stack[stack.length - 1]!;
      if (values[term.id] !== undefined) stack.pop();
      else if (this.#operandsAreKnown(term)) {
        stack.pop();
        values[term.id] = this.#apply(term);
      }
    }
    return values[root.id]!;
  }

  isTrue(term: Term): boolean {
    return this.value(term) === 1;
  }

  /**
   * Pushes the operands whose values are missing; true if there are none. An ite needs only the arm
   * that its condition selects.
   */
  #operandsAreKnown(term: Term): boolean {
    if (term.op === Op.Ite) {
      if (!this.#isKnown(term.a)) return false;
      return this.#isKnown(this.#get(term.a) === 1 ? term.b : term.c);
    }
    const n = arity(term.op);
    let known = true;
    if (n > 0 && !this.#isKnown(term.a)) known = false;
    if (n > 1 && !this.#isKnown(term.b)) known = false;
    return known && (term.op !== Op.Read || this.#writesAreKnown(term.array!, this.#get(term.a)));
  }

  #isKnown(term: Term): boolean {
    if (term.op === Op.Const || this.#values[term.id] !== undefined) return true;
    this.#stack.push(term);
    return false;
  }

  /** The indices of the writes down to the first that hits, and its byte. */
  #writesAreKnown(array: ByteArray, index: BitVectorValue): boolean {
    for (let top = array; top.kind === 'written'; top = top.below) {
      if (!this.#isKnown(top.index)) return false;
      if (this.#get(top.index) === index) return this.#isKnown(top.byte);
    }
    return true;
  }

  #get(term: Term): BitVectorValue {
    return term.op === Op.Const ? term.value : this.#values[term.id]!;
  }

  #apply(term: Term): BitVectorValue {
    switch (term.op) {
      case Op.Const:
        return term.value;
      case Op.Var:
        return this.assignment.variables.get(term.name) ?? 0;
      case Op.Read:
        return this.#read(term.array!, this.#get(term.a));
      case Op.Not:
        return V.not(term.width, this.#get(term.a));
      case Op.Concat:
        return V.concat(term.b.width, this.#get(term.a), this.#get(term.b));
      case Op.Extract:
        return V.extract(this.#get(term.a), term.offset, term.width);
      case Op.Zext:
        return this.#get(term.a);
      case Op.Sext:
        return V.sext(term.a.width, term.width, this.#get(term.a));
      case Op.Ite:
        return this.#get(this.#get(term.a) === 1 ? term.b : term.c);
      default:
        // `BINARY_VALUE` has rows for binary operators only, so the compiler checks that no other
        // is left.
        return BINARY_VALUE[term.op](term.a.width, this.#get(term.a), this.#get(term.b));
    }
  }

  #read(array: ByteArray, index: BitVectorValue): BitVectorValue {
    let top = array;
    for (; top.kind === 'written'; top = top.below) {
      if (this.#get(top.index) === index) return this.#get(top.byte);
    }
    if (index >= top.byteLength) return 0;
    const bytes = top.kind === 'constant' ? top.bytes : this.assignment.arrays.get(top.name);
    return bytes?.[Number(index)] ?? 0;
  }
}

export function evaluate(term: Term, assignment: Assignment): BitVectorValue {
  return new Evaluator(assignment).value(term);
}
