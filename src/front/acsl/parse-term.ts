/**
 * Parses terms and predicates by recursive descent over the precedences of ACSL.
 *
 * ```
 *   loosest   \forall \exists \let      binders reach as far right as they can
 *             ?:   <==>   ==>           ==> to the right
 *             ||   ^^   &&
 *             <-->   -->   |   ^   &
 *             ==  !=  <  <=  >  >=      chained: a <= b < c
 *             ..                        a range
 *             << >>   + -   * / %       casts and unary operators, postfix
 *   tightest
 * ```
 */
import { closestTo } from '../../support/closest.js';
import { AcslError } from './acsl-error.js';
import type { Token } from './annotated-text.js';
import { builtinFunctions } from './builtin-functions.js';
import { builtinPredicates } from './builtin-predicates.js';
import type { SourceToken } from './mark.js';
import type {
  BinaryOperator,
  Binder,
  Node,
  RelationOperator,
  Span,
  TypeName,
  UnaryOperator,
} from './syntax.js';

const relations: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '==', '!=']);

/** Tighter operators come later. */
const binaryLevels: readonly (readonly BinaryOperator[])[] = [
  ['<==>'],
  ['==>'],
  ['||'],
  ['^^'],
  ['&&'],
  ['<-->'],
  ['-->'],
  ['|'],
  ['^'],
  ['&'],
];
const arithmeticLevels: readonly (readonly BinaryOperator[])[] = [
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];

const basicTypeWords = new Set(
  'void char short int long __int128 float double signed unsigned _Bool struct union enum const volatile _Complex integer real boolean'.split(
    ' ',
  ),
);

/** The words of the grammar, and of sets of locations (`sets.ts`). */
const grammarWords = [
  ...['forall', 'exists', 'lambda', 'let', 'true', 'false', 'null', 'nothing', 'everything', 'empty'],
  ...['result', 'exit_status', 'old', 'at', 'in', 'pi', 'union', 'inter', 'from'],
].map(word => `\\${word}`);

/** All words that begin with a backslash; other such words are errors. */
const backslashWords: readonly string[] = [
  ...grammarWords,
  ...builtinFunctions.keys(),
  ...builtinPredicates.keys(),
];

/** Errors and token handling, shared by both parsers. */
class TokenReader {
  protected at = 0;

  constructor(
    protected readonly tokens: readonly Token[],
    /** The location of the annotation itself, for errors at its end. */
    protected readonly whole: SourceToken,
  ) {}

  protected get word(): string | undefined {
    return this.tokens[this.at]?.text;
  }

  protected peek(ahead: number): string | undefined {
    return this.tokens[this.at + ahead]?.text;
  }

  protected get place(): SourceToken {
    return this.tokens[this.at]?.place ?? this.endPlace();
  }

  protected get lastPlace(): SourceToken {
    return this.tokens[this.at - 1]?.place ?? this.whole;
  }

  /** Just after the last token. */
  protected endPlace(): SourceToken {
    const last = this.tokens.at(-1)?.place;
    if (last === undefined) return this.whole;
    return { ...last, column: last.column + last.end - last.offset, offset: last.end };
  }

  protected accept(text: string): boolean {
    if (this.word !== text) return false;
    this.at++;
    return true;
  }

  protected expect(text: string, where: string): void {
    if (!this.accept(text)) throw this.error(`expected '${text}' ${where}, not ${this.found()}`);
  }

  protected identifier(what: string): string {
    const { word } = this;
    if (word === undefined || !/^[A-Za-z_]\w*$/.test(word))
      throw this.error(`expected ${what}, not ${this.found()}`);
    this.at++;
    return word;
  }

  protected found(): string {
    return this.word === undefined ? 'the end of the annotation' : `'${this.word}'`;
  }

  protected error(message: string, help?: string): AcslError {
    return new AcslError(message, this.place, help);
  }
}

export class TermParser extends TokenReader {
  constructor(
    tokens: readonly Token[],
    whole: SourceToken,
    private readonly isTypedef: (name: string) => boolean,
  ) {
    super(tokens, whole);
  }

  expression(): Node {
    const first = this.place;
    const { word } = this;
    if (word === '\\forall' || word === '\\exists' || word === '\\lambda') {
      this.at++;
      const binders = this.binders();
      this.expect(';', `after the variables of ${word}`);
      const body = this.expression();
      const span = this.#spanFrom(first);
      if (word === '\\lambda') return { kind: 'lambda', binders, body, span };
      return { kind: 'quantifier', every: word === '\\forall', binders, body, span };
    }
    if (word === '\\let') {
      this.at++;
      const name = this.identifier('a name after \\let');
      this.expect('=', `after \\let ${name}`);
      const value = this.expression();
      this.expect(';', 'after the value of \\let');
      const body = this.expression();
      return { kind: 'let', name, value, body, span: this.#spanFrom(first) };
    }
    // A named predicate, `name: p`. The colon of a conditional is parsed by its own rule.
    if (
      word !== undefined &&
      /^([A-Za-z_]\w*|".*")$/.test(word) &&
      this.peek(1) === ':' &&
      !this.#inConditional
    ) {
      this.at += 2;
      return this.expression();
    }
    return this.#conditional();
  }

  /** Names of predicates are not parsed where a colon has another meaning. */
  #inConditional = false;

  #conditional(): Node {
    const first = this.place;
    const test = this.#binary(0);
    if (!this.accept('?')) return test;
    const outer = this.#inConditional;
    this.#inConditional = true;
    const whenTrue = this.expression();
    this.#inConditional = outer;
    this.expect(':', "after the first choice of '?'");
    const whenFalse = this.expression();
    return { kind: 'conditional', test, whenTrue, whenFalse, span: this.#spanFrom(first) };
  }

  #binary(level: number): Node {
    const operators = binaryLevels[level];
    if (operators === undefined) return this.#relation();
    const first = this.place;
    let left = this.#binary(level + 1);
    while (operators.includes(this.word as BinaryOperator)) {
      const op = this.word as BinaryOperator;
      this.at++;
      const right = this.#isBinder() ? this.expression() : this.#binary(op === '==>' ? level : level + 1);
      left = { kind: 'binary', op, left, right, span: this.#spanFrom(first) };
    }
    return left;
  }

  /** `p ==> \forall …` needs no parentheses; nor does a name: `p && inner: q`. */
  #isBinder(): boolean {
    if (/^\\(forall|exists|let|lambda)$/.test(this.word ?? '')) return true;
    return !this.#inConditional && /^[A-Za-z_]\w*$/.test(this.word ?? '') && this.peek(1) === ':';
  }

  #relation(): Node {
    const first = this.place;
    const start = this.#range();
    if (this.accept('\\in')) {
      const right = this.#range();
      return { kind: 'binary', op: '\\in', left: start, right, span: this.#spanFrom(first) };
    }
    const rest: [RelationOperator, Node][] = [];
    while (relations.has(this.word ?? '')) {
      const op = this.word as RelationOperator;
      this.at++;
      rest.push([op, this.#range()]);
    }
    return rest.length === 0 ? start : { kind: 'relation', first: start, rest, span: this.#spanFrom(first) };
  }

  #range(): Node {
    const first = this.place;
    const low = this.word === '..' ? undefined : this.#arithmetic(0);
    if (!this.accept('..')) return low!;
    const isOpen = [')', ']', ',', ';', '}', undefined].includes(this.word);
    const high = isOpen ? undefined : this.#arithmetic(0);
    return { kind: 'range', low, high, span: this.#spanFrom(first) };
  }

  #arithmetic(level: number): Node {
    const operators = arithmeticLevels[level];
    if (operators === undefined) return this.#unary();
    const first = this.place;
    let left = this.#arithmetic(level + 1);
    while (operators.includes(this.word as BinaryOperator)) {
      const op = this.word as BinaryOperator;
      this.at++;
      const right = this.#arithmetic(level + 1);
      left = { kind: 'binary', op, left, right, span: this.#spanFrom(first) };
    }
    return left;
  }

  #unary(): Node {
    const first = this.place;
    const { word } = this;
    if (word !== undefined && ['-', '+', '~', '!', '*', '&'].includes(word)) {
      this.at++;
      const operand = this.#isBinder() ? this.expression() : this.#unary();
      return { kind: 'unary', op: word as UnaryOperator, operand, span: this.#spanFrom(first) };
    }
    // The lexer reads `&&x` as a conjunction, with which no operand begins.
    if (word === 'sizeof') {
      this.at++;
      return this.#sizeof(first);
    }
    if (word === '(' && this.#isType(this.peek(1))) {
      this.at++;
      const type = this.typeName();
      this.expect(')', 'after the type of a cast');
      const operand = this.#unary();
      return { kind: 'cast', type, operand, span: this.#spanFrom(first) };
    }
    return this.#postfix();
  }

  #sizeof(first: SourceToken): Node {
    if (this.word === '(' && this.#isType(this.peek(1))) {
      this.at++;
      const type = this.typeName();
      this.expect(')', 'after the type of sizeof');
      return { kind: 'sizeof', type, operand: undefined, span: this.#spanFrom(first) };
    }
    const operand = this.#unary();
    return { kind: 'sizeof', type: undefined, operand, span: this.#spanFrom(first) };
  }

  #postfix(): Node {
    const first = this.place;
    let node = this.#primary();
    for (;;) {
      if (this.accept('[')) {
        const index = this.expression();
        this.expect(']', 'after an index');
        node = { kind: 'index', base: node, index, span: this.#spanFrom(first) };
      } else if (this.word === '.' || this.word === '->') {
        const arrow = this.word === '->';
        this.at++;
        const field = this.identifier('the name of a member');
        node = { kind: 'member', base: node, field, arrow, span: this.#spanFrom(first) };
      } else return node;
    }
  }

  #primary(): Node {
    const first = this.place;
    const { word } = this;
    if (word === undefined) throw this.error('expected a term, not the end of the annotation');
    this.at++;
    if (/^\d|^\.\d/.test(word)) return this.#number(word, first);
    if (/^L?'/.test(word))
      return { kind: 'integer', value: BigInt(characterValue(word)), span: this.#spanFrom(first) };
    if (/^L?"/.test(word)) {
      let text = word;
      while (this.word?.startsWith('"')) text += ` ${this.tokens[this.at++]!.text}`;
      return { kind: 'string', text, span: this.#spanFrom(first) };
    }
    if (word === '(') {
      const outer = this.#inConditional;
      this.#inConditional = false;
      const inside = this.expression();
      this.#inConditional = outer;
      this.expect(')', 'to close the parenthesis');
      return { ...inside, span: this.#spanFrom(first) };
    }
    if (word === '{') return this.#set(first);
    if (word === '\\old' || word === '\\at') return this.#at(word, first);
    if (word.startsWith('\\') && !backslashWords.includes(word)) {
      this.at--;
      throw this.error(`unknown word '${word}'`, suggestion(word, backslashWords));
    }
    if (!/^\\?[A-Za-z_]\w*$/.test(word)) {
      this.at--;
      throw this.error(`expected a term, not ${this.found()}`);
    }
    const labels = this.#labels();
    if (this.word !== '(') return { kind: 'name', name: word, span: this.#spanFrom(first) };
    return { kind: 'call', name: word, labels, args: this.#arguments(), span: this.#spanFrom(first) };
  }

  /** `{L1, L2}` between a name and its arguments. */
  #labels(): string[] {
    if (this.word !== '{' || !/^[A-Za-z_]\w*$/.test(this.peek(1) ?? '') || !/^[,}]$/.test(this.peek(2) ?? ''))
      return [];
    this.at++;
    const labels = [this.identifier('a label')];
    while (this.accept(',')) labels.push(this.identifier('a label'));
    this.expect('}', 'after labels');
    return labels;
  }

  #arguments(): Node[] {
    this.expect('(', 'before arguments');
    const outer = this.#inConditional;
    this.#inConditional = false;
    const args: Node[] = [];
    if (this.word !== ')') {
      do args.push(this.expression());
      while (this.accept(','));
    }
    this.expect(')', 'after arguments');
    this.#inConditional = outer;
    return args;
  }

  #at(word: '\\old' | '\\at', first: SourceToken): Node {
    this.expect('(', `after ${word}`);
    const operand = this.expression();
    let label = 'Old';
    let labelPlace = first;
    if (word === '\\at') {
      this.expect(',', 'before the label of \\at');
      labelPlace = this.place;
      label = this.identifier('a label');
    }
    this.expect(')', `after the term of ${word}`);
    return { kind: 'at', operand, label, labelPlace, span: this.#spanFrom(first) };
  }

  /** `{a, b}` or `{term | binders; predicate}`. */
  #set(first: SourceToken): Node {
    const elements: Node[] = [];
    if (this.word !== '}') {
      do elements.push(this.#arithmeticOrComprehended());
      while (this.accept(','));
    }
    if (elements.length === 1 && this.accept('|')) {
      const binders = this.binders();
      const condition = this.accept(';') ? this.expression() : undefined;
      this.expect('}', 'after a set');
      return {
        kind: 'comprehension',
        element: elements[0]!,
        binders,
        condition,
        span: this.#spanFrom(first),
      };
    }
    this.expect('}', 'after a set');
    return { kind: 'set', elements, span: this.#spanFrom(first) };
  }

  #arithmeticOrComprehended(): Node {
    return this.#range();
  }

  #number(word: string, first: SourceToken): Node {
    const span = this.#spanFrom(first);
    if (/^0[xXbB]/.test(word)) return { kind: 'integer', value: BigInt(word.replace(/[uUlL]+$/, '')), span };
    const isReal = /[.eE]/.test(word) || /[fFdDrR]$/.test(word);
    if (isReal) return { kind: 'real', text: word.replace(/[fFlLdDrR]+$/, ''), span };
    const digits = word.replace(/[uUlL]+$/, '');
    const isOctal = /^0[0-7]+$/.test(digits);
    return { kind: 'integer', value: isOctal ? BigInt(`0o${digits.slice(1)}`) : BigInt(digits), span };
  }

  // ----------------------------------------------------------------------------------------- types

  #isType(word: string | undefined): boolean {
    return word !== undefined && (basicTypeWords.has(word) || this.isTypedef(word));
  }

  typeName(): TypeName {
    const { place } = this;
    const specifiers = this.#specifiers();
    const pointers = this.#pointers();
    const inner = this.#inParentheses(() => undefined);
    return { specifiers, derivations: [...pointers, ...this.#suffixes(inner.derivations)], place };
  }

  /** `(*name)` in the middle of a declarator: what it adds comes last. */
  #inParentheses<T>(inside: () => T): { derivations: TypeName['derivations']; found: T | undefined } {
    if (this.word !== '(' || this.peek(1) !== '*') return { derivations: [], found: undefined };
    this.at++;
    const derivations = this.#pointers();
    const found = inside();
    this.expect(')', 'to close a declarator');
    return { derivations, found };
  }

  /**
   * What follows a declarator and comes before what its parentheses add: the parameters of
   * `(*)(int)`, or arrays.
   */
  #suffixes(inParentheses: TypeName['derivations']): TypeName['derivations'] {
    if (inParentheses.length === 0 || this.word !== '(') return [...this.#arrays(), ...inParentheses];
    const words: string[] = [];
    let depth = 0;
    do {
      const word = this.peek(0);
      if (word === undefined) throw this.error("expected ')' after the parameters of a function");
      depth += word === '(' ? 1 : word === ')' ? -1 : 0;
      words.push(word);
      this.at++;
    } while (depth > 0);
    return [{ parameters: words.join(' ') }, ...inParentheses];
  }

  /** `[3][4]`: the last is the innermost. */
  #arrays(): { count: Node | undefined }[] {
    const counts: { count: Node | undefined }[] = [];
    while (this.accept('[')) {
      const count = this.word === ']' ? undefined : this.expression();
      if (count !== undefined && count.kind !== 'integer')
        throw new AcslError('the length of an array type must be a number', count.span.first);
      this.expect(']', 'after the length of an array');
      counts.unshift({ count });
    }
    return counts;
  }

  #specifiers(): string {
    const words: string[] = [];
    while (this.word !== undefined) {
      const { word } = this;
      const isTag = /^(struct|union|enum)$/.test(word);
      if (
        !basicTypeWords.has(word) &&
        !(this.isTypedef(word) && words.every(one => /^(const|volatile)$/.test(one)))
      )
        break;
      this.at++;
      if (word === 'const' || word === 'volatile') continue;
      words.push(isTag ? `${word} ${this.identifier(`the name of a ${word}`)}` : word);
    }
    if (words.length === 0) {
      const known = [...basicTypeWords];
      throw this.error(`expected a type, not ${this.found()}`, suggestion(this.word ?? '', known));
    }
    return words.join(' ');
  }

  #pointers(): TypeName['derivations'][number][] {
    const derivations: TypeName['derivations'][number][] = [];
    for (;;) {
      if (this.accept('*')) derivations.push('*');
      else if (!this.accept('const') && !this.accept('volatile')) return derivations;
    }
  }

  /** `integer i, j; int *p`: the variables of a quantifier, separated by commas. */
  binders(): Binder[] {
    const binders: Binder[] = [];
    let specifiers = this.#specifiersAt();
    do {
      if (binders.length > 0 && this.#isType(this.word)) specifiers = this.#specifiersAt();
      binders.push(this.#declarator(specifiers));
    } while (this.accept(','));
    return binders;
  }

  #specifiersAt(): { text: string; place: SourceToken } {
    const { place } = this;
    return { text: this.#specifiers(), place };
  }

  #declarator(specifiers: { text: string; place: SourceToken }): Binder {
    const pointers = this.#pointers();
    const named = (): { name: string; place: SourceToken } => {
      const { place } = this;
      return { name: this.identifier('the name of a variable'), place };
    };
    const inner = this.#inParentheses(named);
    const { name, place } = inner.found ?? named();
    const derivations = [...pointers, ...this.#suffixes(inner.derivations)];
    return { name, place, type: { specifiers: specifiers.text, derivations, place: specifiers.place } };
  }

  #spanFrom(first: SourceToken): Span {
    return { first, last: this.lastPlace };
  }
}

const escapes: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11, e: 27 };

function characterValue(literal: string): number {
  const inside = literal.slice(literal.indexOf("'") + 1, -1);
  if (!inside.startsWith('\\')) return (inside.charCodeAt(0) << 24) >> 24;
  const rest = inside.slice(1);
  if (/^x/.test(rest)) return (Number.parseInt(rest.slice(1), 16) << 24) >> 24;
  if (/^[0-7]/.test(rest)) return (Number.parseInt(rest, 8) << 24) >> 24;
  return escapes[rest] ?? rest.charCodeAt(0);
}

export function suggestion(word: string, known: readonly string[]): string | undefined {
  const similar = closestTo(word, known);
  return similar === undefined ? undefined : `did you mean '${similar}'?`;
}
