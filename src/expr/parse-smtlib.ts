/**
 * SMT-LIB 2 text as terms: the QF_ABV commands and operators that Redzone prints and that other
 * tools commonly write.
 *
 * Bool is width 1. Arrays go from 32-bit indices to bytes; a declared array must have its length in
 * `(set-info :byte-length "name n")` before the declaration, or take `defaultByteLength`. Functions
 * with parameters, push and pop are outside the subset and reported as such.
 */
import {
  arrayOf,
  integerOf,
  type List,
  listOf,
  MAX_NESTING,
  type Parsed,
  parsed,
  readSExpressions,
  type SExpression,
  SyntaxProblem,
  widthOf,
  wordOf,
} from './s-expression.js';
import { type BinaryOp, type ByteArray, Op, Term, type TwoOperandOp } from './term.js';
import type { Terms } from './terms.js';

export interface SmtLibQuery {
  readonly assertions: readonly Term[];
}

export function parseSmtLib(t: Terms, text: string, defaultByteLength?: number): Parsed<SmtLibQuery> {
  return parsed(() => {
    const parser = new Parser(t, defaultByteLength);
    for (const command of readSExpressions(text, 'smtlib'))
      parser.command(listOf(command, 'a command', command.line));
    return { assertions: parser.assertions };
  });
}

type Meaning = Term | ByteArray;
type Sort = { readonly kind: 'bits'; readonly width: number } | { readonly kind: 'array' };
type Scope = ReadonlyMap<string, Meaning>;

const BINARY: ReadonlyMap<string, BinaryOp> = new Map<string, BinaryOp>([
  ['bvsub', Op.Sub],
  ['bvudiv', Op.Udiv],
  ['bvsdiv', Op.Sdiv],
  ['bvurem', Op.Urem],
  ['bvsrem', Op.Srem],
  ['bvshl', Op.Shl],
  ['bvlshr', Op.Lshr],
  ['bvashr', Op.Ashr],
  ['bvult', Op.Ult],
  ['bvslt', Op.Slt],
]);

/** Operators that take two or more operands, grouped from the left. */
const ASSOCIATIVE: ReadonlyMap<string, TwoOperandOp> = new Map<string, TwoOperandOp>([
  ['bvadd', Op.Add],
  ['bvmul', Op.Mul],
  ['bvand', Op.And],
  ['bvor', Op.Or],
  ['bvxor', Op.Xor],
  ['and', Op.And],
  ['or', Op.Or],
  ['xor', Op.Xor],
  ['concat', Op.Concat],
]);

const IGNORED = new Set([
  'set-logic',
  'set-option',
  'check-sat',
  'get-model',
  'get-value',
  'exit',
  'get-info',
]);

class Parser {
  readonly assertions: Term[] = [];
  readonly #globals = new Map<string, Meaning>();
  readonly #lengths = new Map<string, number>();
  #nesting = 0;

  constructor(
    readonly t: Terms,
    readonly defaultByteLength: number | undefined,
  ) {}

  command(list: List): void {
    const { items, line } = list;
    const name = wordOf(items[0], 'the name of a command', line);
    switch (name) {
      case 'set-info':
        if (wordOf(items[1], 'an attribute', line) === ':byte-length') this.#byteLength(items[2], line);
        break;
      case 'declare-const':
        this.#declare(wordOf(items[1], 'a name', line), this.#sort(items[2], line), line);
        break;
      case 'declare-fun':
      case 'define-fun': {
        if (listOf(items[2], 'parameters', line).items.length > 0) {
          throw new SyntaxProblem('functions with parameters are not supported', line);
        }
        const declared = wordOf(items[1], 'a name', line);
        if (name === 'declare-fun') this.#declare(declared, this.#sort(items[3], line), line);
        else this.#define(declared, this.#meaning(items[4], line, new Map()));
        break;
      }
      case 'assert': {
        const assertion = this.#term(items[1], line, new Map());
        if (assertion.width !== 1) throw new SyntaxProblem('an assertion must be Bool', line);
        this.assertions.push(assertion);
        break;
      }
      default:
        if (!IGNORED.has(name)) throw new SyntaxProblem(`command ${name} is not supported`, line);
    }
  }

  #define(name: string, meaning: Meaning): void {
    const length = this.#lengths.get(name);
    const isTable = !(meaning instanceof Term) && meaning.kind === 'constant' && length !== undefined;
    this.#globals.set(name, isTable ? this.t.constantArray(padded(meaning.bytes, length)) : meaning);
  }

  #byteLength(node: SExpression | undefined, line: number): void {
    const text = wordOf(node, 'a string', line);
    const cut = text.lastIndexOf(' ');
    this.#lengths.set(text.slice(0, cut), Number(text.slice(cut + 1)));
  }

  #declare(name: string, sort: Sort, line: number): void {
    if (sort.kind === 'bits') {
      const known = this.t.knownVariable(name)?.width ?? sort.width;
      if (known !== sort.width)
        throw new SyntaxProblem(`${name} is known with ${known} bits, not ${sort.width}`, line);
      this.#globals.set(name, this.t.variable(name, sort.width));
      return;
    }
    const length = this.#lengths.get(name) ?? this.defaultByteLength;
    if (length === undefined) throw new SyntaxProblem(`array ${name} has no :byte-length`, line);
    this.#globals.set(name, arrayOf(this.t, name, length, line));
  }

  #sort(node: SExpression | undefined, line: number): Sort {
    if (node?.kind === 'word' && node.text === 'Bool') return { kind: 'bits', width: 1 };
    const list = listOf(node, 'a sort', line);
    if (wordOf(list.items[0], 'a sort', line) === 'Array') {
      const [, from, to] = list.items;
      const index = this.#sort(from, line);
      const element = this.#sort(to, line);
      if (index.kind !== 'bits' || index.width !== 32 || element.kind !== 'bits' || element.width !== 8) {
        throw new SyntaxProblem('arrays go from 32-bit indices to bytes', line);
      }
      return { kind: 'array' };
    }
    if (wordOf(list.items[1], 'BitVec', line) !== 'BitVec') throw new SyntaxProblem('unknown sort', line);
    return { kind: 'bits', width: widthOf(integerOf(list.items[2], 'a width', line), line) };
  }

  #term(node: SExpression | undefined, line: number, scope: Scope): Term {
    const meaning = this.#meaning(node, line, scope);
    if (!(meaning instanceof Term))
      throw new SyntaxProblem('expected a bit-vector or Bool, found an array', line);
    return meaning;
  }

  #array(node: SExpression | undefined, line: number, scope: Scope): ByteArray {
    const meaning = this.#meaning(node, line, scope);
    if (meaning instanceof Term) throw new SyntaxProblem('expected an array', line);
    return meaning;
  }

  #meaning(node: SExpression | undefined, line: number, scope: Scope): Meaning {
    if (node === undefined) throw new SyntaxProblem('an operand is missing', line);
    if (node.kind === 'word') return this.#word(node.text, node.line, scope);
    if (++this.#nesting > MAX_NESTING) throw new SyntaxProblem('nested too deeply', node.line);
    const meaning = this.#application(node, scope);
    this.#nesting--;
    return meaning;
  }

  #word(text: string, line: number, scope: Scope): Meaning {
    if (text === 'true' || text === 'false') return this.t.bool(text === 'true');
    if (/^#x[0-9a-fA-F]+$/.test(text))
      return this.t.constant(widthOf(4 * (text.length - 2), line), BigInt(`0x${text.slice(2)}`));
    if (/^#b[01]+$/.test(text))
      return this.t.constant(widthOf(text.length - 2, line), BigInt(`0b${text.slice(2)}`));
    const meaning = scope.get(text) ?? this.#globals.get(text);
    if (meaning === undefined) throw new SyntaxProblem(`unknown name ${text}`, line);
    return meaning;
  }

  #application(list: List, scope: Scope): Meaning {
    const { items, line } = list;
    const head = items[0];
    if (head?.kind === 'list') return this.#indexed(head, items.slice(1), line, scope);
    const name = wordOf(head, 'an operator', line);
    if (name === '_') {
      const digits = wordOf(items[1], 'a constant', line);
      if (!/^bv\d+$/.test(digits)) throw new SyntaxProblem(`unknown constant ${digits}`, line);
      return this.t.constant(widthOf(integerOf(items[2], 'a width', line), line), BigInt(digits.slice(2)));
    }
    if (name === 'let') return this.#let(items, line, scope);
    if (name === 'select') {
      const index = this.#term(items[2], line, scope);
      if (index.width !== 32) throw new SyntaxProblem('arrays go from 32-bit indices to bytes', line);
      return this.t.read(this.#array(items[1], line, scope), index);
    }
    if (name === 'store') return this.#store(list, scope);
    if (name === '!') return this.#term(items[1], line, scope);
    return this.#operator(
      name,
      items.slice(1).map(item => this.#term(item, line, scope)),
      line,
    );
  }

  #let(items: readonly SExpression[], line: number, scope: Scope): Meaning {
    const inner = new Map(scope);
    for (const binding of listOf(items[1], 'bindings', line).items) {
      const pair = listOf(binding, 'a binding', line);
      inner.set(wordOf(pair.items[0], 'a name', line), this.#meaning(pair.items[1], line, scope));
    }
    return this.#meaning(items[2], line, inner);
  }

  /**
   * Constant bytes stored at constant indices of a constant table make one new table; all other
   * stores are writes.
   */
  #store(list: List, scope: Scope): ByteArray {
    const stores: { index: Term; byte: Term }[] = [];
    let node: SExpression | undefined = list;
    while (node?.kind === 'list' && node.items[0]?.kind === 'word' && node.items[0].text === 'store') {
      const { items, line }: List = node;
      const index = this.#term(items[2], line, scope);
      const byte = this.#term(items[3], line, scope);
      if (index.width !== 32 || byte.width !== 8)
        throw new SyntaxProblem('arrays go from 32-bit indices to bytes', line);
      stores.push({ index, byte });
      node = items[1];
    }
    const base = this.#array(node, list.line, scope);
    stores.reverse();
    if (base.kind !== 'constant' || stores.some(({ index, byte }) => !index.isConst || !byte.isConst)) {
      return stores.reduce<ByteArray>((array, { index, byte }) => this.t.write(array, index, byte), base);
    }
    const last = Math.max(...stores.map(({ index }) => Number(index.value)));
    if (last >= 2 ** 26) throw new SyntaxProblem('a constant table is longer than 64 MiB', list.line);
    const bytes = padded(base.bytes, last + 1);
    for (const { index, byte } of stores) bytes[Number(index.value)] = Number(byte.value);
    return this.t.constantArray(bytes);
  }

  #indexed(head: List, operands: readonly SExpression[], line: number, scope: Scope): Meaning {
    const first = wordOf(head.items[0], 'an operator', line);
    if (first === 'as') {
      const zero = this.#term(operands[0], line, scope);
      if (!zero.isConst || zero.value !== 0) throw new SyntaxProblem('constant arrays must be zero', line);
      return this.t.constantArray(new Uint8Array(0));
    }
    const name = wordOf(head.items[1], 'an operator', line);
    const a = this.#term(operands[0], line, scope);
    const n = integerOf(head.items[2], 'a number', line);
    switch (name) {
      case 'extract': {
        const low = integerOf(head.items[3], 'a number', line);
        if (n >= a.width || low > n) throw new SyntaxProblem(`extract ${n} ${low} of ${a.width} bits`, line);
        return this.t.extract(a, low, n - low + 1);
      }
      case 'zero_extend':
        return this.t.zext(a, widthOf(a.width + n, line));
      case 'sign_extend':
        return this.t.sext(a, widthOf(a.width + n, line));
      case 'rotate_left':
      case 'rotate_right': {
        const by = (name === 'rotate_left' ? n : a.width - (n % a.width)) % a.width;
        if (by === 0) return a;
        return this.t.concat(this.t.extract(a, 0, a.width - by), this.t.extract(a, a.width - by, by));
      }
      case 'repeat': {
        widthOf(a.width * n, line);
        let repeated = a;
        for (let i = 1; i < n; i++) repeated = this.t.concat(a, repeated);
        return repeated;
      }
      default:
        throw new SyntaxProblem(`operator ${name} is not supported`, line);
    }
  }

  #operator(name: string, operands: readonly Term[], line: number): Term {
    const { t } = this;
    const [a, b, c] = operands;
    if (a === undefined) throw new SyntaxProblem(`${name} needs operands`, line);
    const sameWidth =
      name === 'concat' || name === 'ite' || operands.every(operand => operand.width === a.width);
    if (!sameWidth) throw new SyntaxProblem(`operands of ${name} differ in width`, line);
    if (name === 'concat')
      widthOf(
        operands.reduce((sum, { width }) => sum + width, 0),
        line,
      );
    const associative = ASSOCIATIVE.get(name);
    if (associative !== undefined)
      return operands.reduce((left, right) => t.binary(associative, left, right));
    if (name === 'not' || name === 'bvnot') return t.not(a);
    if (name === 'bvneg') return t.neg(a);
    if (b === undefined) throw new SyntaxProblem(`${name} needs two operands`, line);
    const binary = BINARY.get(name);
    if (binary !== undefined) return t.binary(binary, a, b);
    switch (name) {
      case '=':
        return operands.slice(1).reduce((all, operand, i) => t.and(all, t.eq(operands[i]!, operand)), t.true);
      case 'distinct':
        return operands.reduce(
          (all, x, i) => operands.slice(i + 1).reduce((some, y) => t.and(some, t.ne(x, y)), all),
          t.true,
        );
      case '=>':
        if (a.width !== 1) throw new SyntaxProblem('=> is between booleans', line);
        return operands.reduceRight((conclusion, premise) => t.or(t.not(premise), conclusion));
      case 'ite':
        if (c === undefined || a.width !== 1 || b.width !== c.width)
          throw new SyntaxProblem('ill-typed ite', line);
        return t.ite(a, b, c);
      case 'bvule':
        return t.ule(a, b);
      case 'bvugt':
        return t.ugt(a, b);
      case 'bvuge':
        return t.uge(a, b);
      case 'bvsle':
        return t.sle(a, b);
      case 'bvsgt':
        return t.sgt(a, b);
      case 'bvsge':
        return t.sge(a, b);
      case 'bvnand':
        return t.not(t.and(a, b));
      case 'bvnor':
        return t.not(t.or(a, b));
      case 'bvxnor':
        return t.not(t.xor(a, b));
      case 'bvcomp':
        return t.eq(a, b);
      default:
        throw new SyntaxProblem(`operator ${name} is not supported`, line);
    }
  }
}

function padded(bytes: Uint8Array, length: number): Uint8Array {
  const longer = new Uint8Array(Math.max(bytes.length, length));
  longer.set(bytes);
  return longer;
}
