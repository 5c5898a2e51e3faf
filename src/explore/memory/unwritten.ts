/**
 * Uninitialized bytes, and the values that are computed from them.
 *
 * In memory such a byte holds FILLER (see `object-state.ts`). When the interpreter reads it, it
 * becomes a variable named by its address; from then on it is an ordinary term, so copying, masking
 * and storing it is not an error, precisely to the bit. Only where it matters (a branch, an
 * address, an argument, a result, output) is the value checked: *can it differ although all inputs
 * are the same?*
 *
 *     twin(t)     t with other variables instead of the unwritten ones
 *     t is undefined   iff   t ≠ twin(t) is possible on the path
 *
 * Where that depends on the inputs, the path forks (`seemsDefined`): an array that is written in
 * part may be read at an index of the input.
 *
 * So `(word & ~7 | 5) & 7` is defined whatever `word` is, without rules for each operator.
 *
 * A finding names the uninitialized bytes (`causeOf`): on an assignment on which the term and its
 * twin differ, an operand of a differing term differs too, down to a variable.
 */
import { type Assignment, Evaluator } from '../../expr/evaluate.js';
import { arity, type ByteArray, Op, type Term } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';
import { forEachTerm } from '../../expr/walk.js';
import type { Instruction } from '../../ir/model.js';

/** The content of uninitialized memory: a byte that programs rarely store. */
export const FILLER = 0xa7;

const PREFIX = 'unwritten ';

/** Operators whose results differ wherever their operand does. */
const wrappers: ReadonlySet<Op> = new Set([Op.Not, Op.Zext, Op.Sext]);
const comparisons: ReadonlySet<Op> = new Set([Op.Eq, Op.Ult, Op.Slt]);

/** Neighbouring bytes. */
export interface Extent {
  readonly address: number;
  readonly bytes: number;
}

/** Taller terms have no twin: they are only evaluated (`differsOn`). */
const TALLEST = 2000;

/** The last undefined value that a load has read. */
export interface UndefinedLoad {
  readonly instruction: Instruction;
  readonly value: Term;
  readonly address: number;
  readonly bytes: number;
}

export class Unwritten {
  readonly #terms: Terms;
  /** For the id of a term, whether it contains an uninitialized byte. */
  readonly #isIn = new Map<number, boolean>();
  /** The uninitialized bytes that each variable stands for. */
  readonly #extents = new Map<Term, Extent>();
  readonly #loads = new Map<Instruction, UndefinedLoad>();
  readonly #twins: Replacement;
  /** All uninitialized bytes replaced by zeros, and by ones. */
  readonly #filled: readonly [Replacement, Replacement];

  constructor(terms: Terms) {
    this.#terms = terms;
    const isIn = (term: Term): boolean => this.isIn(term);
    this.#twins = new Replacement(terms, isIn, ({ name, width }) => terms.variable(`other ${name}`, width));
    this.#filled = [
      new Replacement(terms, isIn, ({ width }) => terms.constant(width, 0)),
      new Replacement(terms, isIn, ({ width }) => terms.not(terms.constant(width, 0))),
    ];
  }

  /**
   * The term of the uninitialized byte at an address; `origin` is the byte from which it was
   * copied.
   */
  byte(address: number, origin: number): Term {
    const name = origin === address ? `${PREFIX}${address}` : `${PREFIX}${address} from ${origin}`;
    return this.#variable(name, 8, { address: origin, bytes: 1 });
  }

  #variable(name: string, width: number, extent: Extent): Term {
    const term = this.#terms.variable(name, width);
    this.#extents.set(term, extent);
    return term;
  }

  /**
   * The result of an operation on an uninitialized operand if it is not a term over its operands,
   * as for floats: uninitialized itself, and the same wherever the same is computed.
   */
  computed(operation: string, operands: readonly Term[], width: number): Term {
    const extent = this.causeOf(operands.find(operand => this.isIn(operand))!, undefined);
    const name = `${PREFIX}${extent.address} ${operation} ${operands.map(({ id }) => id).join(' ')}`;
    return this.#variable(name, width, extent);
  }

  /** The address of an uninitialized byte, or of its origin; undefined for any other term. */
  addressOf(term: Term): number | undefined {
    return term.width === 8 ? this.#extents.get(term)?.address : undefined;
  }

  /** Records that a load has read an undefined value. */
  noteLoad(instruction: Instruction, value: Term, address: number, bytes: number): void {
    this.#loads.set(instruction, { instruction, value, address, bytes });
  }

  /**
   * The value that a load has read last, if the byte at the address, or a copy of it, was a part of
   * it.
   */
  loadBy(instruction: Instruction, address: number): UndefinedLoad | undefined {
    const load = this.#loads.get(instruction);
    if (load === undefined) return undefined;
    for (const extent of this.#extentsIn(load.value, undefined))
      if (address >= extent.address && address < extent.address + extent.bytes) return load;
    return undefined;
  }

  /**
   * The first undefined byte of a value that was loaded, the number of those that follow it without
   * a gap, and whether a bit of them was written.
   */
  undefinedIn(value: Term): { first: number; bytes: number; isPartial: boolean } {
    const each = Array.from({ length: Math.ceil(value.width / 8) }, (_, i) =>
      this.#terms.extract(value, 8 * i, Math.min(8, value.width - 8 * i)),
    );
    const first = each.findIndex(byte => this.isIn(byte));
    const written = each.findIndex((byte, i) => i > first && !this.isIn(byte));
    const run = each.slice(first, written < 0 ? undefined : written);
    return { first, bytes: run.length, isPartial: run.some(byte => !this.#extents.has(byte)) };
  }

  /** Whether the value depends, syntactically, on an uninitialized byte. */
  isIn(term: Term): boolean {
    return this.#extents.size > 0 && this.#search(term);
  }

  /**
   * The bytes that make the term undefined, on an assignment on which it differs from its twin;
   * without one, the first that it contains. Requires that it contains some.
   */
  causeOf(term: Term, run: Evaluator | undefined): Extent {
    const { address } = this.#extents.get(this.#decisive(term, run))!;
    const near = new Set<number>();
    for (const { address: first, bytes } of this.#extentsIn(term, run))
      for (let i = 0; i < bytes; i++) near.add(first + i);
    let [start, end] = [address, address + 1];
    while (near.has(start - 1)) start--;
    while (near.has(end)) end++;
    if (run !== undefined) return { address: start, bytes: end - start };
    // The other bytes may be read at another index.
    return { address, bytes: Math.min(end - address, Math.ceil(term.width / 8)) };
  }

  /** The variable that causes the difference. */
  #decisive(root: Term, run: Evaluator | undefined): Term {
    let term = root;
    while (!this.#extents.has(term)) {
      const parts = this.#partsOf(term, run);
      const different = parts.find(part => run !== undefined && this.#differs(part, run));
      // If the solver has found no such assignment, any part will do.
      term = different ?? parts[0] ?? operandsOf(term).find(operand => this.isIn(operand))!;
    }
    return term;
  }

  #differs(term: Term, run: Evaluator): boolean {
    const twin = this.twin(term);
    return twin === undefined || run.value(term) !== run.value(twin);
  }

  /**
   * The uninitialized bytes among the variables on which the term depends under this assignment.
   */
  *#extentsIn(root: Term, run: Evaluator | undefined): Generator<Extent> {
    const seen = new Set([root]);
    for (const term of seen) {
      const extent = this.#extents.get(term);
      if (extent !== undefined) yield extent;
      else for (const part of this.#partsOf(term, run)) seen.add(part);
    }
  }

  /**
   * The operands that contain uninitialized bytes, in memory order; with an assignment only those
   * that count.
   */
  #partsOf(term: Term, run: Evaluator | undefined): Term[] {
    const counting = run === undefined ? operandsOf(term) : this.#countingIn(term, run);
    const parts = counting.filter(operand => this.isIn(operand));
    // In an array the last write comes first, and in a word the highest byte.
    return term.op === Op.Read || term.op === Op.Concat ? parts.reverse() : parts;
  }

  /** An undefined index or condition is the cause; otherwise the operand that it selects. */
  #countingIn(term: Term, run: Evaluator): Term[] {
    if (term.op !== Op.Read && term.op !== Op.Ite) return operandsOf(term);
    if (this.isIn(term.a) && this.#differs(term.a, run)) return [term.a];
    if (term.op === Op.Ite) return [run.isTrue(term.a) ? term.b : term.c];
    const index = run.value(term.a);
    for (let top = term.array; top?.kind === 'written'; top = top.below)
      if (run.value(top.index) === index) return [top.byte];
    return operandsOf(term);
  }

  #search(term: Term): boolean {
    if (term.isConst) return false;
    const known = this.#isIn.get(term.id);
    if (known !== undefined) return known;
    const found =
      this.#extents.has(term) ||
      (term.height > TALLEST
        ? this.#searchAll(term)
        : operandsOf(term).some(operand => this.#search(operand)));
    this.#isIn.set(term.id, found);
    return found;
  }

  #searchAll(root: Term): boolean {
    let found = false;
    forEachTerm([root], term => {
      found ||= this.#extents.has(term);
    });
    return found;
  }

  /** The term with other uninitialized bytes; undefined if it is too tall. */
  twin(term: Term): Term | undefined {
    return term.height > TALLEST ? undefined : this.#twins.in(term);
  }

  /**
   * Whether the term, or a value that it compares, differs on this input between all uninitialized
   * bytes being 0 and being 255.
   */
  differsOn(term: Term, { arrays }: Assignment): boolean {
    const [zeros, ones] = this.#filled.map(filled => {
      const bytes = [...this.#extents.keys()].map(byte => [byte.name, filled.in(byte).value] as const);
      return new Evaluator({ variables: new Map(bytes), arrays });
    });
    let whole = term;
    while (wrappers.has(whole.op)) whole = whole.a;
    const parts = comparisons.has(whole.op) ? [whole.a, whole.b] : [whole];
    return parts.some(part => zeros!.value(part) !== ones!.value(part));
  }

  /**
   * A condition under which the term appears defined: its array reads are the same whether all
   * uninitialized bytes are 0 or 255; if it contains other uninitialized bytes, the term itself is
   * the same. Requires that it has a twin.
   */
  seemsDefined(term: Term): Term {
    const reads = new Set<Term>();
    const isOnlyRead = this.#findReads(term, reads, new Set());
    const parts = isOnlyRead ? [...reads] : [term];
    const [zeros, ones] = this.#filled;
    return parts
      .map(part => this.#terms.eq(zeros.in(part), ones.in(part)))
      .reduce((all, condition) => this.#terms.and(all, condition), this.#terms.true);
  }

  /**
   * A condition without uninitialized bytes: the given one holds whether all of them are 0 or 255.
   * False if it is too tall.
   */
  certainly(condition: Term): Term {
    if (!this.isIn(condition)) return condition;
    if (condition.height > TALLEST) return this.#terms.false;
    const [zeros, ones] = this.#filled;
    return this.#terms.and(zeros.in(condition), ones.in(condition));
  }

  /**
   * Adds the reads that contain uninitialized bytes. Returns whether there are no such bytes
   * elsewhere.
   */
  #findReads(term: Term, reads: Set<Term>, seen: Set<Term>): boolean {
    if (seen.has(term) || !this.isIn(term)) return true;
    seen.add(term);
    if (term.op === Op.Var) return false;
    if (term.op !== Op.Read) return operandsOf(term).every(operand => this.#findReads(operand, reads, seen));
    reads.add(term);
    return true;
  }
}

/** Replaces the uninitialized bytes of terms. */
class Replacement {
  readonly #terms: Terms;
  readonly #isIn: (term: Term) => boolean;
  readonly #replace: (byte: Term) => Term;
  readonly #made = new Map<Term, Term>();
  readonly #arrays = new Map<ByteArray, ByteArray>();

  constructor(terms: Terms, isIn: (term: Term) => boolean, replace: (byte: Term) => Term) {
    this.#terms = terms;
    this.#isIn = isIn;
    this.#replace = replace;
  }

  in(term: Term): Term {
    if (!this.#isIn(term)) return term;
    const known = this.#made.get(term);
    if (known !== undefined) return known;
    const made = this.#make(term);
    this.#made.set(term, made);
    return made;
  }

  #make(term: Term): Term {
    const t = this.#terms;
    if (term.op === Op.Const) return term;
    if (term.op === Op.Var) return this.#replace(term);
    const a = this.in(term.a);
    switch (term.op) {
      case Op.Read:
        return t.read(this.#inArray(term.array!), a);
      case Op.Not:
        return t.not(a);
      case Op.Extract:
        return t.extract(a, term.offset, term.width);
      case Op.Zext:
        return t.zext(a, term.width);
      case Op.Sext:
        return t.sext(a, term.width);
      case Op.Ite:
        return t.ite(a, this.in(term.b), this.in(term.c));
      default:
        // `binary` accepts binary operators only, so the compiler checks that no other is left.
        return t.binary(term.op, a, this.in(term.b));
    }
  }

  #inArray(array: ByteArray): ByteArray {
    if (array.kind !== 'written') return array;
    const known = this.#arrays.get(array);
    if (known !== undefined) return known;
    const below = this.#inArray(array.below);
    const made = this.#terms.write(below, this.in(array.index), this.in(array.byte));
    this.#arrays.set(array, made);
    return made;
  }
}

function operandsOf(term: Term): Term[] {
  const n = arity(term.op);
  const operands = [term.a, term.b, term.c].slice(0, n);
  for (let top = term.array; top?.kind === 'written'; top = top.below) operands.push(top.index, top.byte);
  return operands;
}
