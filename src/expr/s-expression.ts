/**
 * Reading s-expressions, the common ground of SMT-LIB and KQuery: nested lists of words, with
 * comments.
 *
 * `(a (b c))` becomes a list of lists; `[` `]` `,` `=` `@` `:` `->` are separate words for KQuery.
 * A `|quoted|` SMT-LIB symbol is one word without its bars. Every node remembers its line for
 * messages.
 */
import type { SymbolicArray } from './term.js';
import { MAX_WIDTH, type Terms } from './terms.js';

export interface Word {
  readonly kind: 'word';
  readonly text: string;
  readonly line: number;
}

export interface List {
  readonly kind: 'list';
  readonly open: '(' | '[';
  readonly items: SExpression[];
  readonly line: number;
}

export type SExpression = Word | List;

/**
 * An error in a text, with its line: the only exception that parsing throws; callers of the parsers
 * receive it as data.
 */
export class SyntaxProblem extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

const KQUERY_TOKEN = /(\s+|#[^\n]*)|(?!)()|(?!)()|(->|[()[\],=@:])|([^\s()[\],=@:#]+)/y;
const SMT_TOKEN = /(\s+|;[^\n]*)|\|([^|]*)\||"((?:[^"]|"")*)"|([()])|([^\s()|;"]+)/y;

/**
 * Reads all expressions of a text; `kquery` also gives brackets and KQuery's punctuation a meaning.
 */
export function readSExpressions(text: string, dialect: 'smtlib' | 'kquery'): SExpression[] {
  const token = new RegExp(dialect === 'kquery' ? KQUERY_TOKEN : SMT_TOKEN);
  const top: SExpression[] = [];
  const open: List[] = [];
  let line = 1;
  let at = 0;
  while (at < text.length) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null) throw new SyntaxProblem(`unexpected character ${JSON.stringify(text[at])}`, line);
    at = token.lastIndex;
    const [whole, space, quoted, string, mark, plain] = match;
    const items = open.at(-1)?.items ?? top;
    if (space === undefined) {
      if (mark === '(' || mark === '[') {
        const list: List = { kind: 'list', open: mark, items: [], line };
        items.push(list);
        open.push(list);
      } else if (mark === ')' || mark === ']') {
        const closed = open.pop();
        if (closed === undefined || (closed.open === '(') !== (mark === ')'))
          throw new SyntaxProblem(`unexpected ${mark}`, line);
      } else
        items.push({ kind: 'word', text: quoted ?? string?.replaceAll('""', '"') ?? mark ?? plain!, line });
    }
    for (let i = whole.indexOf('\n'); i >= 0; i = whole.indexOf('\n', i + 1)) line++;
  }
  if (open.length > 0) throw new SyntaxProblem('a parenthesis is not closed', open.at(-1)!.line);
  return top;
}

export function wordOf(node: SExpression | undefined, what: string, line: number): string {
  if (node?.kind !== 'word') throw new SyntaxProblem(`expected ${what}`, node?.line ?? line);
  return node.text;
}

export function listOf(node: SExpression | undefined, what: string, line: number): List {
  if (node?.kind !== 'list') throw new SyntaxProblem(`expected ${what}`, node?.line ?? line);
  return node;
}

export function integerOf(node: SExpression | undefined, what: string, line: number): number {
  const text = wordOf(node, what, line);
  if (!/^\d+$/.test(text)) throw new SyntaxProblem(`expected ${what}, found ${text}`, node!.line);
  return Number(text);
}

/** A width that terms can have. */
export function widthOf(width: number, line: number): number {
  if (width < 1 || width > MAX_WIDTH) throw new SyntaxProblem(`a width of ${width} bits`, line);
  return width;
}

const MOST_BYTES = 2 ** 31;

/** The symbolic array of a name, which must not be known with another length. */
export function arrayOf(t: Terms, name: string, byteLength: number, line: number): SymbolicArray {
  if (!(byteLength >= 0 && byteLength <= MOST_BYTES))
    throw new SyntaxProblem(`an array of ${byteLength} bytes`, line);
  const known = t.knownArray(name)?.byteLength ?? byteLength;
  if (known !== byteLength)
    throw new SyntaxProblem(`array ${name} is known with ${known} bytes, not ${byteLength}`, line);
  return t.symbolicArray(name, byteLength);
}

/** Runs a parser and turns its SyntaxProblem into data. */
export type Parsed<T> =
  | ({ readonly ok: true } & T)
  | { readonly ok: false; readonly message: string; readonly line: number };

export function parsed<T extends object>(parse: () => T): Parsed<T> {
  try {
    return { ok: true, ...parse() };
  } catch (problem) {
    if (problem instanceof SyntaxProblem) return { ok: false, message: problem.message, line: problem.line };
    throw problem;
  }
}

/**
 * The deepest nesting that parsers accept, because they are recursive; Redzone prints nothing near
 * it.
 */
export const MAX_NESTING = 500;
