/**
 * KQuery text as terms: array declarations and one or more queries, with labels, update lists, and
 * the derived operators KLEE's printer uses (Ne, Ule, Sge, ReadLSB, ReadMSB, …). Lists of values
 * and arrays after the conclusion are accepted and ignored.
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
import { type BinaryOp, type ByteArray, Op, type Term } from './term.js';
import type { Terms } from './terms.js';

export interface KQuery {
  readonly constraints: readonly Term[];
  readonly conclusion: Term;
}

export function parseKQuery(t: Terms, text: string): Parsed<{ readonly queries: readonly KQuery[] }> {
  return parsed(() => {
    const parser = new Parser(t);
    return { queries: parser.file(readSExpressions(text, 'kquery')) };
  });
}

const ARITHMETIC: ReadonlyMap<string, BinaryOp> = new Map<string, BinaryOp>([
  ['Add', Op.Add],
  ['Sub', Op.Sub],
  ['Mul', Op.Mul],
  ['UDiv', Op.Udiv],
  ['SDiv', Op.Sdiv],
  ['URem', Op.Urem],
  ['SRem', Op.Srem],
  ['Shl', Op.Shl],
  ['LShr', Op.Lshr],
  ['AShr', Op.Ashr],
  ['And', Op.And],
  ['Or', Op.Or],
  ['Xor', Op.Xor],
]);

const COMPARISON: ReadonlyMap<string, (t: Terms, a: Term, b: Term) => Term> = new Map([
  ['Eq', (t, a, b) => t.eq(a, b)],
  ['Ne', (t, a, b) => t.ne(a, b)],
  ['Ult', (t, a, b) => t.ult(a, b)],
  ['Ule', (t, a, b) => t.ule(a, b)],
  ['Ugt', (t, a, b) => t.ugt(a, b)],
  ['Uge', (t, a, b) => t.uge(a, b)],
  ['Slt', (t, a, b) => t.slt(a, b)],
  ['Sle', (t, a, b) => t.sle(a, b)],
  ['Sgt', (t, a, b) => t.sgt(a, b)],
  ['Sge', (t, a, b) => t.sge(a, b)],
]);

const INTEGER = /^-?(\d+|0x[0-9a-fA-F]+|0b[01]+)$/;

/** Reads nodes of one list from left to right. */
class Cursor {
  at = 0;
  constructor(
    readonly items: readonly SExpression[],
    readonly line: number,
  ) {}

  peek(ahead: number = 0): string | undefined {
    const node = this.items[this.at + ahead];
    return node?.kind === 'word' ? node.text : undefined;
  }

  take(): SExpression | undefined {
    return this.items[this.at++];
  }

  takeWord(text: string): boolean {
    if (this.peek() !== text) return false;
    this.at++;
    return true;
  }

  expect(text: string): void {
    if (!this.takeWord(text))
      throw new SyntaxProblem(`expected ${text}`, this.items[this.at]?.line ?? this.line);
  }

  get done(): boolean {
    return this.at >= this.items.length;
  }
}

class Parser {
  readonly #labels = new Map<string, Term>();
  readonly #arrays = new Map<string, ByteArray>();
  #nesting = 0;

  constructor(readonly t: Terms) {}

  file(nodes: readonly SExpression[]): KQuery[] {
    const queries: KQuery[] = [];
    const cursor = new Cursor(nodes, 1);
    while (!cursor.done) {
      if (cursor.takeWord('array')) this.#declareArray(cursor);
      else queries.push(this.#query(listOf(cursor.take(), 'array or (query …)', cursor.line)));
    }
    return queries;
  }

  /** `array name[n] : w32 -> w8 = symbolic`, or `= [1 2 3]`. */
  #declareArray(cursor: Cursor): void {
    const line = cursor.items[cursor.at]?.line ?? cursor.line;
    const name = wordOf(cursor.take(), 'the name of an array', line);
    const size = listOf(cursor.take(), 'the size of an array', line);
    cursor.expect(':');
    cursor.expect('w32');
    cursor.expect('->');
    cursor.expect('w8');
    cursor.expect('=');
    const contents = cursor.take();
    if (contents?.kind === 'word' && contents.text === 'symbolic') {
      this.#arrays.set(name, arrayOf(this.t, name, integerOf(size.items[0], 'a size', line), line));
      return;
    }
    const bytes = listOf(contents, 'symbolic or a list of bytes', line).items.map(item =>
      integerOf(item, 'a byte', line),
    );
    this.#arrays.set(name, this.t.constantArray(Uint8Array.from(bytes)));
  }

  #query(list: List): KQuery {
    const cursor = new Cursor(list.items, list.line);
    cursor.expect('query');
    const constraints: Term[] = [];
    const inner = new Cursor(listOf(cursor.take(), 'a list of constraints', list.line).items, list.line);
    while (!inner.done) constraints.push(this.#bool(inner));
    return { constraints, conclusion: this.#bool(cursor) };
  }

  #bool(cursor: Cursor): Term {
    return this.#wide(cursor, 1);
  }

  /** An expression of this width. */
  #wide(cursor: Cursor, width: number): Term {
    const term = this.#term(cursor, width);
    if (term.width !== width)
      throw new SyntaxProblem(`expected ${width === 1 ? 'a boolean' : `${width} bits`}`, cursor.line);
    return term;
  }

  /** An expression, perhaps labelled; a bare number has the width that its context requires. */
  #term(cursor: Cursor, expectedWidth: number | undefined): Term {
    if (cursor.peek(1) === ':' && cursor.peek() !== undefined) {
      const label = wordOf(cursor.take(), 'a label', cursor.line);
      cursor.expect(':');
      const term = this.#term(cursor, expectedWidth);
      this.#labels.set(label, term);
      return term;
    }
    const node = cursor.take();
    if (node === undefined) throw new SyntaxProblem('an operand is missing', cursor.line);
    if (node.kind === 'list') {
      if (++this.#nesting > MAX_NESTING) throw new SyntaxProblem('nested too deeply', node.line);
      const term = this.#application(new Cursor(node.items, node.line));
      this.#nesting--;
      return term;
    }
    if (node.text === 'true' || node.text === 'false') return this.t.bool(node.text === 'true');
    if (INTEGER.test(node.text)) {
      if (expectedWidth === undefined)
        throw new SyntaxProblem(`the width of ${node.text} is not known`, node.line);
      return this.t.constant(expectedWidth, integer(node.text));
    }
    const labelled = this.#labels.get(node.text);
    if (labelled === undefined) throw new SyntaxProblem(`unknown label ${node.text}`, node.line);
    return labelled;
  }

  #application(cursor: Cursor): Term {
    const { t } = this;
    const name = wordOf(cursor.take(), 'an operator', cursor.line);
    const width = this.#width(name, cursor);
    if (width !== undefined) {
      const text = wordOf(cursor.take(), 'a number', cursor.line);
      if (!INTEGER.test(text)) throw new SyntaxProblem(`expected a number, found ${text}`, cursor.line);
      return t.constant(width, integer(text));
    }
    const compare = COMPARISON.get(name);
    if (compare !== undefined) {
      this.#optionalWidth(cursor);
      return compare(t, ...this.#pair(cursor, undefined));
    }
    const type = this.#optionalWidth(cursor);
    if (name === 'Concat') {
      const [high, low] = [this.#term(cursor, undefined), this.#term(cursor, undefined)];
      widthOf(high.width + low.width, cursor.line);
      return t.concat(high, low);
    }
    const arithmetic = ARITHMETIC.get(name);
    if (arithmetic !== undefined) return t.binary(arithmetic, ...this.#pair(cursor, type));
    switch (name) {
      case 'Not':
        return t.not(this.#term(cursor, type));
      case 'Neg':
        return t.neg(this.#term(cursor, type));
      case 'ZExt':
      case 'SExt': {
        const a = this.#term(cursor, undefined);
        const to = required(type, cursor);
        if (to <= a.width) return t.extract(a, 0, to);
        return name === 'ZExt' ? t.zext(a, to) : t.sext(a, to);
      }
      case 'Extract': {
        const offset = integerOf(cursor.take(), 'a bit number', cursor.line);
        const a = this.#term(cursor, undefined);
        const wanted = required(type, cursor);
        if (offset + wanted > a.width) throw new SyntaxProblem('extract beyond the operand', cursor.line);
        return t.extract(a, offset, wanted);
      }
      case 'Select': {
        const condition = this.#bool(cursor);
        return t.ite(condition, ...this.#pair(cursor, type));
      }
      case 'Read':
      case 'ReadLSB':
      case 'ReadMSB':
        return this.#read(name, required(type, cursor), cursor);
      default:
        throw new SyntaxProblem(`operator ${name} is not supported`, cursor.line);
    }
  }

  /** Two operands of one width, either of which may be a bare number. */
  #pair(cursor: Cursor, width: number | undefined): [Term, Term] {
    if (width === undefined && INTEGER.test(cursor.peek() ?? '')) {
      const number = integer(cursor.peek()!);
      cursor.take();
      const b = this.#term(cursor, undefined);
      return [this.t.constant(b.width, number), b];
    }
    const a = this.#term(cursor, width);
    const b = this.#term(cursor, a.width);
    if (a.width !== b.width)
      throw new SyntaxProblem(`operands have ${a.width} and ${b.width} bits`, cursor.line);
    return [a, b];
  }

  #read(name: string, width: number, cursor: Cursor): Term {
    const { t } = this;
    const index = this.#wide(cursor, 32);
    const array = this.#array(cursor);
    let word: Term | undefined;
    for (let i = 0; i < width / 8; i++) {
      const byte = t.read(array, t.add(index, t.constant(32, i)));
      if (word === undefined) word = byte;
      else word = name === 'ReadMSB' ? t.concat(word, byte) : t.concat(byte, word);
    }
    if (word?.width !== width) throw new SyntaxProblem(`a read of ${width} bits`, cursor.line);
    return word;
  }

  /** `name`, `[i=v, j=w] @ version`, either with a label in front. */
  #array(cursor: Cursor): ByteArray {
    if (cursor.peek(1) === ':') {
      const label = wordOf(cursor.take(), 'a label', cursor.line);
      cursor.expect(':');
      const array = this.#array(cursor);
      this.#arrays.set(label, array);
      return array;
    }
    const node = cursor.take();
    if (node?.kind !== 'list') {
      const array = this.#arrays.get(wordOf(node, 'an array', cursor.line));
      if (array === undefined) throw new SyntaxProblem('unknown array', cursor.line);
      return array;
    }
    const writes = new Cursor(node.items, node.line);
    const newestFirst: [Term, Term][] = [];
    while (!writes.done) {
      const index = this.#wide(writes, 32);
      writes.expect('=');
      newestFirst.push([index, this.#wide(writes, 8)]);
      writes.takeWord(',');
    }
    cursor.expect('@');
    const below = this.#array(cursor);
    return newestFirst.reduceRight<ByteArray>(
      (array, [index, byte]) => this.t.write(array, index, byte),
      below,
    );
  }

  #width(text: string | undefined, { line }: Cursor): number | undefined {
    return text !== undefined && /^w\d+$/.test(text) ? widthOf(Number(text.slice(1)), line) : undefined;
  }

  #optionalWidth(cursor: Cursor): number | undefined {
    const width = this.#width(cursor.peek(), cursor);
    if (width !== undefined) cursor.take();
    return width;
  }
}

function integer(text: string): bigint {
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
}

function required(type: number | undefined, cursor: Cursor): number {
  if (type === undefined) throw new SyntaxProblem('a width is missing', cursor.line);
  return type;
}
