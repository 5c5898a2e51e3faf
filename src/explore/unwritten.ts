/**
 * Bytes that the program has never written, and the values that are computed from them.
 *
 * In memory such a byte holds FILLER (see `object-state.ts`). Read by the interpreter it is a variable of its own, named by its address;
 * from there on it is an ordinary term, so copying it, masking it and storing it is no error, to the bit. What is asked is only where
 * it matters (a branch, an address, an argument, a result, output): *can the value be another one, all inputs being the same?*
 *
 *     twin(t)     t with other variables in the place of the unwritten ones
 *     t is undefined   iff   t ≠ twin(t) is possible on the path
 *
 * So `(word & ~7 | 5) & 7` is defined whatever `word` is, without rules for each operator.
 */
import { arity, type ByteArray, Op, type Term } from '../expr/term.js';
import type { Terms } from '../expr/terms.js';
import { forEachTerm } from '../expr/walk.js';

/** What memory holds where nothing was written: a byte that programs seldom store. */
export const FILLER = 0xa7;

const PREFIX = 'unwritten ';

/** Taller terms count as undefined as soon as they hold an unwritten byte. */
const TALLEST = 2000;

export class Unwritten {
  readonly #terms: Terms;
  /** By the id of a term: does it hold an unwritten byte? */
  readonly #isIn = new Map<number, boolean>();
  readonly #twins = new Map<Term, Term>();
  readonly #arrayTwins = new Map<ByteArray, ByteArray>();
  readonly #addresses = new Map<Term, number>();

  constructor(terms: Terms) {
    this.#terms = terms;
  }

  /** The unwritten byte at an address. */
  byte(address: number): Term {
    const term = this.#terms.variable(`${PREFIX}${address}`, 8);
    this.#addresses.set(term, address);
    return term;
  }

  /** The address of an unwritten byte; undefined for any other term. */
  addressOf(term: Term): number | undefined {
    return this.#addresses.get(term);
  }

  /** Does the value depend, or seem to depend, on an unwritten byte? */
  isIn(term: Term): boolean {
    return this.#addresses.size > 0 && this.#search(term);
  }

  /** An unwritten byte that the term holds. Requires that it holds one. */
  firstIn(term: Term): number {
    const own = this.#addresses.get(term);
    if (own !== undefined) return own;
    const part = operandsOf(term).find(operand => this.isIn(operand))!;
    return this.firstIn(part);
  }

  #search(term: Term): boolean {
    if (term.isConst) return false;
    const known = this.#isIn.get(term.id);
    if (known !== undefined) return known;
    const found =
      this.#addresses.has(term) ||
      (term.height > TALLEST
        ? this.#searchAll(term)
        : operandsOf(term).some(operand => this.#search(operand)));
    this.#isIn.set(term.id, found);
    return found;
  }

  #searchAll(root: Term): boolean {
    let found = false;
    forEachTerm([root], term => {
      found ||= this.#addresses.has(term);
    });
    return found;
  }

  /** The term with other unwritten bytes; undefined if it is too tall to say. */
  twin(term: Term): Term | undefined {
    return term.height > TALLEST ? undefined : this.#twin(term);
  }

  #twin(term: Term): Term {
    if (!this.isIn(term)) return term;
    const known = this.#twins.get(term);
    if (known !== undefined) return known;
    const made = this.#makeTwin(term);
    this.#twins.set(term, made);
    return made;
  }

  #makeTwin(term: Term): Term {
    const t = this.#terms;
    if (term.op === Op.Var) return t.variable(`other ${term.name}`, term.width);
    const a = this.#twin(term.a);
    switch (term.op) {
      case Op.Read:
        return t.read(this.#arrayTwin(term.array!), a);
      case Op.Not:
        return t.not(a);
      case Op.Extract:
        return t.extract(a, term.offset, term.width);
      case Op.Zext:
        return t.zext(a, term.width);
      case Op.Sext:
        return t.sext(a, term.width);
      case Op.Ite:
        return t.ite(a, this.#twin(term.b), this.#twin(term.c));
      default:
        return t.binary(term.op, a, this.#twin(term.b));
    }
  }

  #arrayTwin(array: ByteArray): ByteArray {
    if (array.kind !== 'written') return array;
    const known = this.#arrayTwins.get(array);
    if (known !== undefined) return known;
    const below = this.#arrayTwin(array.below);
    const made = this.#terms.write(below, this.#twin(array.index), this.#twin(array.byte));
    this.#arrayTwins.set(array, made);
    return made;
  }
}

function operandsOf(term: Term): Term[] {
  const n = arity(term.op);
  const operands = [term.a, term.b, term.c].slice(0, n);
  for (let top = term.array; top?.kind === 'written'; top = top.below) operands.push(top.index, top.byte);
  return operands;
}
