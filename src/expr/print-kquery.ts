/**
 * Terms as KQuery text, the format of KLEE's tools.
 *
 * `(query [constraints] conclusion)` asks whether the constraints imply the conclusion;
 * satisfiability is queried with the conclusion `false`. KQuery has arrays only, so a variable
 * becomes an array, read in little-endian order. Shared and deep terms are labelled `N12:` where
 * they first appear, arrays with writes `U3:`.
 */
import {
  type BinaryOp,
  type ByteArray,
  type ConstantArray,
  Op,
  type SymbolicArray,
  type Term,
} from './term.js';
import { countUses } from './walk.js';

/** Operators that are printed as their names and operands. */
type NamedOp = Exclude<BinaryOp, Op.Eq | Op.Ult | Op.Slt> | Op.Not | Op.Concat | Op.Zext | Op.Sext;

const OPERATOR: Readonly<Record<NamedOp, string>> = {
  [Op.Add]: 'Add',
  [Op.Sub]: 'Sub',
  [Op.Mul]: 'Mul',
  [Op.Udiv]: 'UDiv',
  [Op.Sdiv]: 'SDiv',
  [Op.Urem]: 'URem',
  [Op.Srem]: 'SRem',
  [Op.Shl]: 'Shl',
  [Op.Lshr]: 'LShr',
  [Op.Ashr]: 'AShr',
  [Op.And]: 'And',
  [Op.Or]: 'Or',
  [Op.Xor]: 'Xor',
  [Op.Not]: 'Not',
  [Op.Concat]: 'Concat',
  [Op.Zext]: 'ZExt',
  [Op.Sext]: 'SExt',
};

/** Whether the constraints of a KQuery query imply its conclusion. */
export function printKQuery(constraints: readonly Term[], conclusion: Term): string {
  const roots = [...constraints, conclusion];
  const printer = new Printer();
  for (const [term, uses] of countUses(roots)) printer.plan(term, uses);
  const texts = roots.map(root => printer.text(root));
  const list = texts.slice(0, -1).join('\n        ');
  return `${printer.declarations.join('')}(query [${list}]\n       ${texts.at(-1)})\n`;
}

/** Words that mean something already: labels, widths, keywords. */
const RESERVED = /^([NUw]\d+|const_arr\d+|array|query|symbolic|true|false)$/;

class Printer {
  readonly declarations: string[] = [];
  readonly #shared = new Set<Term>();
  readonly #labelled = new Set<Term>();
  readonly #arrays = new Map<ByteArray, string>();
  readonly #names = new Map<Term | SymbolicArray, string>();
  readonly #taken = new Set<string>();

  plan(term: Term, uses: number): void {
    if (uses > 1 && term.op !== Op.Const) this.#shared.add(term);
    if (term.op === Op.Var) {
      const bytes = Math.ceil(term.width / 8);
      this.declarations.push(`array ${this.#nameOf(term)}[${bytes}] : w32 -> w8 = symbolic\n`);
    }
  }

  /**
   * Text in reading order, so that labels precede their uses. Pieces are on an explicit stack:
   * strings are finished, terms are still to be written.
   */
  text(root: Term): string {
    const parts: string[] = [];
    const waiting: (string | Term)[] = [root];
    while (waiting.length > 0) {
      const next = waiting.pop()!;
      if (typeof next === 'string') parts.push(next);
      else if (this.#labelled.has(next)) parts.push(`N${next.id}`);
      else {
        if (this.#shared.has(next)) {
          this.#labelled.add(next);
          parts.push(`N${next.id}:`);
        }
        waiting.push(...this.#pieces(next).reverse());
      }
    }
    return parts.join('');
  }

  #pieces(term: Term): (string | Term)[] {
    const type = `w${term.width}`;
    switch (term.op) {
      case Op.Const:
        return [term.width === 1 ? String(term.value === 1) : `(${type} ${term.value})`];
      case Op.Var: {
        const bits = Math.ceil(term.width / 8) * 8;
        const whole = `(${bits === 8 ? 'Read' : 'ReadLSB'} w${bits} (w32 0) ${this.#nameOf(term)})`;
        return [bits === term.width ? whole : `(Extract ${type} 0 ${whole})`];
      }
      case Op.Read:
        return [`(Read w8 `, term.a, ' ', ...this.#array(term.array!), ')'];
      case Op.Eq:
      case Op.Ult:
      case Op.Slt:
        return [`(${Op[term.op]} `, term.a, ' ', term.b, ')'];
      case Op.Extract:
        return [`(Extract ${type} ${term.offset} `, term.a, ')'];
      case Op.Not:
      case Op.Zext:
      case Op.Sext:
        return [`(${OPERATOR[term.op]} ${type} `, term.a, ')'];
      case Op.Ite:
        return [`(Select ${type} `, term.a, ' ', term.b, ' ', term.c, ')'];
      default:
        // Binary operators; the compiler reports an operator without a row in `OPERATOR`.
        return [`(${OPERATOR[term.op]} ${type} `, term.a, ' ', term.b, ')'];
    }
  }

  /** The unique identifier of a variable or an array. */
  #nameOf(named: Term | SymbolicArray): string {
    const known = this.#names.get(named);
    if (known !== undefined) return known;
    const plain = named.name.replace(/[^A-Za-z0-9_]|^(?=\d|$)/g, '_');
    let name = RESERVED.test(plain) ? `${plain}_` : plain;
    for (let n = 2; this.#taken.has(name); n++) name = `${plain}_${n}`;
    this.#taken.add(name);
    this.#names.set(named, name);
    return name;
  }

  /** Writes newest first, `U3:[i=v, j=w] @ base`; named at first use. */
  #array(array: ByteArray): (string | Term)[] {
    const known = this.#arrays.get(array);
    if (known !== undefined) return [known];
    if (array.kind !== 'written') return [this.#declare(array)];
    const pieces: (string | Term)[] = [];
    let top: ByteArray = array;
    for (; top.kind === 'written' && !this.#arrays.has(top); top = top.below) {
      pieces.push(pieces.length === 0 ? '[' : ', ', top.index, '=', top.byte);
    }
    const name = `U${array.id}`;
    this.#arrays.set(array, name);
    return [`${name}:`, ...pieces, '] @ ', ...this.#array(top)];
  }

  #declare(array: SymbolicArray | ConstantArray): string {
    const name = array.kind === 'symbolic' ? this.#nameOf(array) : `const_arr${array.id}`;
    const contents = array.kind === 'symbolic' ? 'symbolic' : `[${array.bytes.join(' ')}]`;
    this.declarations.push(`array ${name}[${array.byteLength}] : w32 -> w8 = ${contents}\n`);
    this.#arrays.set(array, name);
    return name;
  }
}
