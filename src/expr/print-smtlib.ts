/**
 * Terms as SMT-LIB 2 text, logic QF_ABV.
 *
 * Width-1 terms are printed as Bool, all others as bit-vectors; where an operator needs the other
 * view of a bit it is converted, `(ite b #b1 #b0)` or `(= v #b1)`. Terms used more than once, and
 * every term that would nest too deep, get a `define-fun`, so the text is linear in the graph and
 * no reader needs a deep stack.
 *
 * A base array is total in SMT-LIB, ours reads zero beyond its length: reads that may leave it are
 * guarded. A read through writes is an `ite` over the indices, since a `store` would not know about
 * the guard. The length is kept in `(set-info :byte-length "name n")`, which other tools skip and
 * our parser reads.
 *
 * A constant table is a chain of stores, or, for solvers that are slow with those, each read is a
 * tree of `ite` over the bits of its index.
 */
import { type BinaryOp, baseOf, type ConstantArray, Op, type SymbolicArray, type Term } from './term.js';
import type { Terms } from './terms.js';
import type { BitVectorValue } from './value.js';
import { countUses } from './walk.js';

const OPERATOR: Readonly<Record<Exclude<BinaryOp, Op.Eq>, string>> = {
  [Op.Add]: 'bvadd',
  [Op.Sub]: 'bvsub',
  [Op.Mul]: 'bvmul',
  [Op.Udiv]: 'bvudiv',
  [Op.Sdiv]: 'bvsdiv',
  [Op.Urem]: 'bvurem',
  [Op.Srem]: 'bvsrem',
  [Op.Shl]: 'bvshl',
  [Op.Lshr]: 'bvlshr',
  [Op.Ashr]: 'bvashr',
  [Op.And]: 'bvand',
  [Op.Or]: 'bvor',
  [Op.Xor]: 'bvxor',
  [Op.Ult]: 'bvult',
  [Op.Slt]: 'bvslt',
};

const CONNECTIVE: Readonly<Partial<Record<Op, string>>> = { [Op.And]: 'and', [Op.Or]: 'or', [Op.Xor]: 'xor' };

const MAX_INLINE = 400;

export interface SmtLibScript {
  /** Declarations and definitions, one command a line. */
  readonly preamble: string;
  /** The text that stands for each root, in the order given: Bool for width 1. */
  readonly roots: readonly string[];
  /** The variables that occur, with their names in the script. */
  readonly variables: ReadonlyMap<Term, string>;
  /** The symbolic arrays that occur, likewise. */
  readonly arrays: ReadonlyMap<SymbolicArray, string>;
}

/** A complete script that checks whether the constraints are satisfiable together. */
export function printSmtLibQuery(t: Terms, constraints: readonly Term[]): string {
  const { preamble, roots } = printSmtLib(t, constraints);
  const assertions = roots.map(root => `(assert ${root})\n`).join('');
  return `(set-logic QF_ABV)\n${preamble}${assertions}(check-sat)\n`;
}

/** How reads of constant tables are written. */
export type TableStyle = 'stores' | 'ites';

export function printSmtLib(t: Terms, terms: readonly Term[], tables: TableStyle = 'stores'): SmtLibScript {
  const printer = new Printer(t, tables);
  for (const [term, uses] of countUses(terms)) printer.print(term, uses);
  return {
    preamble: printer.lines.join(''),
    roots: terms.map(term => printer.text(term)),
    variables: printer.variables,
    arrays: printer.arrays,
  };
}

/**
 * Names that a declaration cannot have, quoted or not: words of the language, literals, and our own
 * definitions.
 */
const RESERVED = /^(true|false|_|!|as|let|par|exists|forall|match|[?#].*)$/s;

function quoted(name: string): string {
  return /^[A-Za-z_~!$%^&*+<>./-][A-Za-z0-9_~!@$%^&*+<>.?/-]*$/.test(name) ? name : `|${name}|`;
}

export function literal(width: number, value: BitVectorValue): string {
  if (width === 1) return value === 1 ? 'true' : 'false';
  if (width % 4 === 0) return `#x${value.toString(16).padStart(width / 4, '0')}`;
  return `#b${value.toString(2).padStart(width, '0')}`;
}

class Printer {
  readonly lines: string[] = [];
  readonly variables = new Map<Term, string>();
  readonly arrays = new Map<SymbolicArray, string>();
  readonly #taken = new Set<string>();
  readonly #texts = new Map<Term, string>();
  readonly #bases = new Map<number, string>();

  constructor(
    readonly t: Terms,
    readonly tables: TableStyle,
  ) {}

  text(term: Term): string {
    return this.#texts.get(term)!;
  }

  print(term: Term, uses: number): void {
    let text = this.#compute(term);
    const isLeaf = term.op === Op.Const || term.op === Op.Var;
    if (!isLeaf && (uses > 1 || text.length > MAX_INLINE)) {
      const name = `?t${term.id}`;
      this.lines.push(`(define-fun ${name} () ${sort(term.width)} ${text})\n`);
      text = name;
    }
    this.#texts.set(term, text);
  }

  /** The unique name of a variable or an array that is valid in a script. */
  #freeName(wanted: string): string {
    const plain = wanted.replace(/[|\\]/g, '_');
    let name = RESERVED.test(plain) ? `_${plain}` : plain;
    for (let n = 2; this.#taken.has(name); n++) name = `${plain}_${n}`;
    this.#taken.add(name);
    return name;
  }

  /** The text as a bit-vector, also at width 1. */
  #bits(term: Term): string {
    if (term.width > 1) return this.text(term);
    if (term.op === Op.Const) return `#b${term.value}`;
    return `(ite ${this.text(term)} #b1 #b0)`;
  }

  #compute(term: Term): string {
    switch (term.op) {
      case Op.Const:
        return literal(term.width, term.value);
      case Op.Var: {
        const name = quoted(this.#freeName(term.name));
        this.variables.set(term, name);
        this.lines.push(`(declare-const ${name} ${sort(term.width)})\n`);
        return name;
      }
      case Op.Not:
        return `(${term.width === 1 ? 'not' : 'bvnot'} ${this.text(term.a)})`;
      case Op.Eq:
        return `(= ${this.text(term.a)} ${this.text(term.b)})`;
      case Op.Ite:
        return `(ite ${this.text(term.a)} ${this.text(term.b)} ${this.text(term.c)})`;
      case Op.Ult:
      case Op.Slt:
        return `(${OPERATOR[term.op]} ${this.#bits(term.a)} ${this.#bits(term.b)})`;
      default: {
        // Results that are bit vectors, or connectives of conditions.
        const connective = CONNECTIVE[term.op];
        if (term.width === 1 && connective)
          return `(${connective} ${this.text(term.a)} ${this.text(term.b)})`;
        const bits = this.#vector(term);
        return term.width === 1 ? `(= ${bits} #b1)` : bits;
      }
    }
  }

  #vector(term: Term): string {
    switch (term.op) {
      case Op.Const:
      case Op.Var:
      case Op.Not:
      case Op.Eq:
      case Op.Ite:
        return this.#compute(term);
      case Op.Read:
        return this.#read(term);
      case Op.Concat:
        return `(concat ${this.#bits(term.a)} ${this.#bits(term.b)})`;
      case Op.Extract:
        return `((_ extract ${term.offset + term.width - 1} ${term.offset}) ${this.#bits(term.a)})`;
      case Op.Zext:
        return `((_ zero_extend ${term.width - term.a.width}) ${this.#bits(term.a)})`;
      case Op.Sext:
        return `((_ sign_extend ${term.width - term.a.width}) ${this.#bits(term.a)})`;
      default:
        // Binary operators; the compiler reports an operator without a row in `OPERATOR`.
        return `(${OPERATOR[term.op]} ${this.#bits(term.a)} ${this.#bits(term.b)})`;
    }
  }

  /** From the base outwards, each write guards what is below it. */
  #read(term: Term): string {
    const index = this.text(term.a);
    const base = baseOf(term.array!);
    const isTree = base.kind === 'constant' && this.tables === 'ites' && term.a.op !== Op.Const;
    let text = isTree ? this.#tree(base.bytes, index, term.id) : `(select ${this.#base(base)} ${index})`;
    if (this.t.facts.umax[term.a.id]! >= base.byteLength) {
      text = `(ite (bvult ${index} ${literal(32, base.byteLength)}) ${text} #x00)`;
    }
    const writes: { index: Term; byte: Term }[] = [];
    for (let top = term.array!; top.kind === 'written'; top = top.below) writes.push(top);
    for (const [level, write] of writes.reverse().entries()) {
      if (text.length > MAX_INLINE) {
        const name = `?t${term.id}_${level}`;
        this.lines.push(`(define-fun ${name} () (_ BitVec 8) ${text})\n`);
        text = name;
      }
      text = `(ite (= ${index} ${this.text(write.index)}) ${this.text(write.byte)} ${text})`;
    }
    return text;
  }

  /** A definition per bit of the index, and an `ite` wherever the two halves of a table differ. */
  #tree(bytes: Uint8Array, index: string, id: number): string {
    const depth = Math.ceil(Math.log2(Math.max(2, bytes.length)));
    for (let bit = 0; bit < depth; bit++) {
      const isSet = `(= ((_ extract ${bit} ${bit}) ${index}) #b1)`;
      this.lines.push(`(define-fun ?i${id}_${bit} () Bool ${isSet})\n`);
    }
    const choose = (first: number, level: number): string => {
      if (level === 0) return literal(8, bytes[first] ?? 0);
      const low = choose(first, level - 1);
      const high = choose(first + 2 ** (level - 1), level - 1);
      return low === high ? low : `(ite ?i${id}_${level - 1} ${high} ${low})`;
    };
    return choose(0, depth);
  }

  #base(base: SymbolicArray | ConstantArray): string {
    let name = this.#bases.get(base.id);
    if (name === undefined) {
      name = base.kind === 'symbolic' ? this.#declare(base) : this.#define(base);
      this.#bases.set(base.id, name);
    }
    return name;
  }

  #declare(array: SymbolicArray): string {
    const name = this.#freeName(array.name);
    this.arrays.set(array, quoted(name));
    const text = `${name} ${array.byteLength}`.replaceAll('"', '""');
    this.lines.push(`(set-info :byte-length "${text}")\n`);
    this.lines.push(`(declare-const ${quoted(name)} ${ARRAY_SORT})\n`);
    return quoted(name);
  }

  /** A table as stores over zero, a hundred to a definition. */
  #define(array: ConstantArray): string {
    let text = `((as const ${ARRAY_SORT}) #x00)`;
    let part = 0;
    for (let i = 0; i < array.byteLength; i++) {
      if (array.bytes[i] !== 0) text = `(store ${text} ${literal(32, i)} ${literal(8, array.bytes[i]!)})`;
      if (i % 100 === 99) {
        const name = `?table${array.id}_${part++}`;
        this.lines.push(`(define-fun ${name} () ${ARRAY_SORT} ${text})\n`);
        text = name;
      }
    }
    const name = `?table${array.id}`;
    this.lines.push(`(set-info :byte-length "${name} ${array.byteLength}")\n`);
    this.lines.push(`(define-fun ${name} () ${ARRAY_SORT} ${text})\n`);
    return name;
  }
}

const ARRAY_SORT = '(Array (_ BitVec 32) (_ BitVec 8))';

function sort(width: number): string {
  return width === 1 ? 'Bool' : `(_ BitVec ${width})`;
}
