/**
 * Makes annotations survive the preprocessor: each annotation (a comment that begins with `@`)
 * becomes ordinary tokens between two markers, so that `clang -E` expands the macros in it, drops
 * it inside `#if 0`, and repeats it wherever a macro or header that holds it is used.
 *
 * ```
 *   //@ assert \valid(p) && n < MAX;
 *   __rzo4 __rzp9 assert __rzp10 __rzb_valid( __rzp11 p) … n < __rzp15 MAX __rzp16 ; __rzc
 * ```
 *
 * `__rzo4` begins annotation 4, `__rzc` ends it, and `__rzp9` states that token 9 of the table
 * follows, so that an error is reported at its location even if the token came from a macro. No
 * marker precedes `(`, which a function-like macro must see directly: its marker `__rzq11` follows
 * it. Ghost code is C and only loses its comment delimiters.
 *
 * Text is handled as one character per byte, because clang counts columns and offsets in bytes.
 */

/** A place in a file as the user wrote it. `offset` and `end` are bytes. */
export interface SourceToken {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly end: number;
}

/** The targets of markers, for all files of one program. */
export class MarkTable {
  tokens: SourceToken[] = [];
  /** The first byte of each annotation. */
  annotations: SourceToken[] = [];
  /** The original text of the files that have annotations. */
  sources: Map<string, string> = new Map();

  /** Renames the files to the names that clang gives them. */
  rename(nameOf: (file: string) => string): void {
    const renamed = (token: SourceToken): SourceToken => ({ ...token, file: nameOf(token.file) });
    this.tokens = this.tokens.map(renamed);
    this.annotations = this.annotations.map(renamed);
    this.sources = new Map([...this.sources].map(([file, text]) => [nameOf(file), text]));
  }
}

const piece =
  /"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|\/\*[\s\S]*?(?:\*\/|$)|\/\/(?:\\\r?\n|[^\n])*|[^"'/]+|\//y;

/** `/*@{` and `//@}` are groups of Doxygen. */
const annotationStart = /^\/[*/]@(?![{}])/;

/** Whether the text may contain an annotation. */
export function mayBeAnnotated(text: string): boolean {
  return text.includes('/*@') || text.includes('//@');
}

/** The file with its annotations as tokens, or undefined when it has none. */
export function markFile(file: string, text: string, table: MarkTable): string | undefined {
  let marked = '';
  let found = false;
  let line = 1;
  let lineStart = 0;
  let logicalStart = 0;
  for (let at = 0; at < text.length; ) {
    piece.lastIndex = at;
    const part = piece.exec(text)![0];
    if (annotationStart.test(part)) {
      found = true;
      const inDirective = /^[ \t]*(?:#|%:)/.test(text.slice(logicalStart, at));
      const body = new AnnotationMarker(file, text, table, inDirective);
      marked += body.mark(at, part, line, lineStart);
    } else {
      marked += part;
    }
    for (let i = part.indexOf('\n'); i >= 0; i = part.indexOf('\n', i + 1)) {
      line++;
      lineStart = at + i + 1;
      if (!/\\\r?$/.test(text.slice(Math.max(0, at + i - 2), at + i)) && !part.startsWith('/*'))
        logicalStart = lineStart;
    }
    at += part.length;
  }
  if (!found) return undefined;
  table.sources.set(file, text);
  return marked;
}

/** Symbols that ACSL knows besides ASCII, as the bytes of UTF-8. */
const symbols: readonly (readonly [utf8: string, ascii: string])[] = (
  [
    ['∀', '\\forall'],
    ['∃', '\\exists'],
    ['∈', '\\in'],
    ['π', '\\pi'],
    ['≤', '<='],
    ['≥', '>='],
    ['≢', '!='],
    ['≡', '=='],
    ['≠', '!='],
    ['⇒', '==>'],
    ['⟹', '==>'],
    ['⇔', '<==>'],
    ['⟺', '<==>'],
    ['∧', '&&'],
    ['∨', '||'],
    ['⊻', '^^'],
    ['¬', '!'],
    ['ℤ', 'integer'],
    ['ℝ', 'real'],
    ['𝔹', 'boolean'],
    ['∅', '\\empty'],
    ['∪', '\\union'],
  ] as const
).map(([symbol, ascii]) => [latin1(symbol), ascii]);

const token =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[A-Za-z_]\w*|\\[A-Za-z_]\w*|0[xX][\da-fA-F]+[uUlL]*|0[bB][01]+[uUlL]*|\d+(?:\.(?!\.)\d*)?(?:[eE][+-]?\d+)?[uUlLfFdDrR]*|\.\d+(?:[eE][+-]?\d+)?[fFlLdDrR]*|L?"(?:\\[\s\S]|[^"\\\n])*"|L?'(?:\\[\s\S]|[^'\\\n])*'|<==>|==>|<-->|-->|\.\.\.?|->|<<|>>|<=|>=|==|!=|&&|\|\||\^\^|[\s\S]/y;

class AnnotationMarker {
  constructor(
    private readonly file: string,
    private readonly source: string,
    private readonly table: MarkTable,
    private readonly inDirective: boolean,
  ) {}

  mark(start: number, comment: string, line: number, lineStart: number): string {
    const isBlock = comment.startsWith('/*');
    const end = start + comment.length - (isBlock && comment.endsWith('*/') ? 2 : 0);
    const from = start + 3;
    if (/^[\s@]*ghost\b/.test(comment.slice(3))) return this.#ghost(comment, start, line, lineStart);
    this.table.annotations.push({ file: this.file, line, column: start - lineStart + 1, offset: start, end });
    const tokens = this.#tokens(from, end, line, lineStart);
    return ` __rzo${this.table.annotations.length - 1} ${tokens} __rzc${isBlock ? '' : ' '}`;
  }

  #tokens(from: number, end: number, firstLine: number, firstStart: number): string {
    const { source } = this;
    let text = '';
    let line = firstLine;
    let lineStart = firstStart;
    for (let at = from; at < end; ) {
      const symbol = symbols.find(([utf8]) => source.startsWith(utf8, at));
      token.lastIndex = at;
      const found = symbol?.[0] ?? token.exec(source)![0];
      const next = Math.min(at + found.length, end);
      const spelled = symbol?.[1] ?? source.slice(at, next);
      const isBlank = /^(\s|\/\/|\/\*)/.test(spelled) || spelled === '@';
      if (isBlank) text += spelled.includes('\n') ? this.#newlines(spelled) : ' ';
      else text += this.#marked(spelled, { line, column: at - lineStart + 1, offset: at, end: next });
      for (let i = found.indexOf('\n'); i >= 0; i = found.indexOf('\n', i + 1)) {
        line++;
        lineStart = at + i + 1;
      }
      at = next;
    }
    return text;
  }

  #marked(spelled: string, place: Omit<SourceToken, 'file'>): string {
    // Line continuations in a macro are blank.
    if (spelled === '\\') return ' ';
    const { tokens } = this.table;
    tokens.push({ file: this.file, ...place });
    const code = spelled.startsWith('\\')
      ? `__rzb_${spelled.slice(1)}`
      : spelled === '..'
        ? '__rzd'
        : spelled;
    if (code !== '(') return ` __rzp${tokens.length - 1} ${code}`;
    // The marker of a parenthesis follows it; a macro without arguments must not get any.
    return /^\s*\)/.test(this.source.slice(place.end, place.end + 80)) ? '(' : `( __rzq${tokens.length - 1}`;
  }

  #newlines(blank: string): string {
    const count = blank.split('\n').length - 1;
    return (this.inDirective ? ' \\\n' : '\n').repeat(count);
  }

  /**
   * The same text without the comment delimiters; annotations inside it are written `/@ … @/`.
   */
  #ghost(comment: string, start: number, line: number, lineStart: number): string {
    const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
    const open = /^\/[*/][\s@]*@[\s@]*ghost\b/.exec(comment)![0];
    const close = comment.startsWith('/*') ? /@?\*\/$/.exec(comment)![0] : '';
    const inside = comment.slice(open.length, comment.length - close.length).replace(/\n([ \t]*)@/g, '\n$1 ');
    const parts = inside.split(/(\/@[\s\S]*?@\/)/);
    let at = start + open.length;
    const marked = parts.map(part => {
      const before = this.source.slice(start, at);
      const breaks = before.split('\n').length - 1;
      const partLineStart = breaks === 0 ? lineStart : start + before.lastIndexOf('\n') + 1;
      at += part.length;
      if (!part.startsWith('/@')) return part;
      const from = at - part.length;
      this.table.annotations.push({
        ...{ file: this.file, line: line + breaks, column: from - partLineStart + 1 },
        ...{ offset: from, end: at },
      });
      const index = this.table.annotations.length - 1;
      return ` __rzo${index} ${this.#tokens(from + 2, at - 2, line + breaks, partLineStart)} __rzc `;
    });
    return blank(open) + marked.join('') + blank(close);
  }
}

/** The bytes of a text in UTF-8, one character for each. */
export function latin1(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
