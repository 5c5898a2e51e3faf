/**
 * Parses the output of `clang -E` for marked files (see `mark.ts`) into plain C whose annotations
 * are blanks, and the annotations as tokens with their source locations, each at its offset in that
 * text.
 *
 * The preprocessor keeps lines but not columns. Each line of an annotated file is laid out again so
 * that its tokens stand in the columns of the source: so that clang's diagnostics and debug
 * information have the positions of the source. The expansion of a macro has no column and simply
 * follows.
 */
import type { MarkTable, SourceToken } from './mark.js';

export interface Token {
  readonly text: string;
  /** Undefined before the first marker, which cannot happen for a token of the user. */
  readonly place: SourceToken | undefined;
}

export interface PlacedAnnotation {
  /** Its offset in the text. */
  readonly offset: number;
  readonly place: SourceToken;
  readonly tokens: readonly Token[];
}

export interface AnnotatedText {
  readonly text: string;
  readonly annotations: readonly PlacedAnnotation[];
  /** The file, line and column from which an offset of the text comes. */
  readonly locate: (offset: number) => { file: string; line: number; column: number };
}

const lineMarker = /^# (\d+) "((?:\\.|[^"\\])*)"[ \d]*$/;
const region = /__rzo(\d+)\b([\s\S]*?)\b__rzc\b/g;
const annotationToken =
  /\s+|__rz[A-Za-z]\w*|[A-Za-z_]\w*|0[xX][\da-fA-F]+[uUlL]*|0[bB][01]+[uUlL]*|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?[uUlLfFdDrR]*|\.\d+(?:[eE][+-]?\d+)?[fFlLdDrR]*|L?"(?:\\[\s\S]|[^"\\\n])*"|L?'(?:\\[\s\S]|[^'\\\n])*'|<==>|==>|<-->|-->|->|<<|>>|<=|>=|==|!=|&&|\|\||\^\^|[\s\S]/g;
const cToken =
  /[A-Za-z_$\x80-\xff][\w$\x80-\xff]*|\.?\d(?:[eEpP][+-]|[\w.])*|(?:L|u8?|U)?"(?:\\.|[^"\\])*"|(?:L|u|U)?'(?:\\.|[^'\\])*'|\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|##|[^\s]/g;

/** The names of all files that a preprocessed text comes from. */
export function filesIn(preprocessed: string): Set<string> {
  const names = [...preprocessed.matchAll(/^# \d+ "((?:\\.|[^"\\])*)"/gm)].map(match => match[1]!);
  return new Set(names.map(name => name.replace(/\\(.)/g, '$1')));
}

export function readAnnotatedText(preprocessed: string, table: MarkTable): AnnotatedText {
  const found: { start: number; place: SourceToken; tokens: Token[] }[] = [];
  const plain = preprocessed.replace(region, (whole, index: string, inside: string, start: number) => {
    found.push({ start, place: table.annotations[Number(index)]!, tokens: tokensOf(inside, table) });
    // Line markers inside are kept, so that the following lines are correct.
    return whole.replace(/^(?!# \d+ ").*$/gm, text => ' '.repeat(text.length));
  });
  const layout = new Layout(table);
  let next = 0;
  const annotations: PlacedAnnotation[] = [];
  let start = 0;
  for (const line of plain.split('\n')) {
    const end = start + line.length + 1;
    const here: number[] = [];
    for (; next < found.length && found[next]!.start < end; next++) here.push(found[next]!.start - start);
    const offsets = layout.line(line, here);
    for (const [i, offset] of offsets.entries()) {
      const { place, tokens } = found[next - here.length + i]!;
      annotations.push({ offset, place, tokens });
    }
    start = end;
  }
  return { text: layout.text, annotations, locate: layout.locator() };
}

function tokensOf(inside: string, table: MarkTable): Token[] {
  const tokens: Token[] = [];
  const placed = new Set<Token>();
  let place: SourceToken | undefined;
  const text = inside.replace(/^# \d+ ".*$/gm, '');
  for (const [spelled] of text.matchAll(annotationToken)) {
    if (/^\s/.test(spelled)) continue;
    if (/^__rzp\d+$/.test(spelled)) place = table.tokens[Number(spelled.slice(5))];
    else if (/^__rzq\d+$/.test(spelled)) {
      const last = tokens.at(-1);
      const own = table.tokens[Number(spelled.slice(5))];
      // A parenthesis from a macro has no location.
      if (last?.text === '(' && !placed.has(last) && own !== undefined) {
        const made = { text: '(', place: own };
        tokens[tokens.length - 1] = made;
        placed.add(made);
      }
    } else if (spelled === '__rzd') tokens.push({ text: '..', place });
    else if (spelled.startsWith('__rzb_')) tokens.push({ text: `\\${spelled.slice(6)}`, place });
    else if (isRestOfWord(tokens.at(-1)?.text, spelled))
      tokens.push({ text: tokens.pop()!.text + spelled, place });
    else tokens.push({ text: spelled, place });
  }
  return tokens;
}

/** The contents of C macros were not marked: `\\forall` and `..` arrive as two tokens. */
function isRestOfWord(before: string | undefined, spelled: string): boolean {
  return (before === '\\' && /^[A-Za-z_]/.test(spelled)) || (before === '.' && spelled === '.');
}

class Layout {
  text = '';
  #file = '';
  #line = 0;
  readonly #starts: { offset: number; file: string; line: number }[] = [];
  readonly #sources = new Map<string, string[]>();

  constructor(private readonly table: MarkTable) {}

  /** Adds a line; returns the new offsets of the given columns. */
  line(text: string, marks: readonly number[]): number[] {
    const marker = lineMarker.exec(text);
    if (marker !== null) {
      this.#file = marker[2]!.replace(/\\(.)/g, '$1');
      this.#line = Number(marker[1]) - 1;
      this.text += `${text}\n`;
      return [];
    }
    this.#line++;
    this.#starts.push({ offset: this.text.length, file: this.#file, line: this.#line });
    const source = this.#sourceLines(this.#file)?.[this.#line - 1];
    const lineStart = this.text.length;
    const offsets: number[] = [];
    if (source === undefined || text.trim() === '') {
      this.text += `${text}\n`;
      return marks.map(mark => lineStart + mark);
    }
    const originals = [...source.matchAll(cToken)];
    let pointer = 0;
    let laid = '';
    let oldEnd = 0;
    for (const [index, match] of [...text.matchAll(cToken)].entries()) {
      const spelled = match[0];
      while (offsets.length < marks.length && marks[offsets.length]! < match.index)
        offsets.push(lineStart + laid.length);
      const at = originals.findIndex((original, i) => i >= pointer && original[0] === spelled);
      const gap = match.index > oldEnd ? 1 : 0;
      let column = index === 0 && at < 0 ? match.index : laid.length + (laid === '' ? 0 : gap);
      if (at >= 0) {
        pointer = at + 1;
        column = Math.max(column, originals[at]!.index);
      }
      laid = laid.padEnd(column) + spelled;
      oldEnd = match.index + spelled.length;
    }
    while (offsets.length < marks.length) offsets.push(lineStart + laid.length);
    this.text += `${laid}\n`;
    return offsets;
  }

  locator(): AnnotatedText['locate'] {
    const starts = this.#starts;
    return offset => {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (starts[middle]!.offset <= offset) low = middle;
        else high = middle - 1;
      }
      const { file, line, offset: start } = starts[low] ?? { file: '', line: 0, offset: 0 };
      return { file, line, column: offset - start + 1 };
    };
  }

  /** The lines of an annotated file, without its comments. */
  #sourceLines(file: string): string[] | undefined {
    const source = this.table.sources.get(file);
    if (source === undefined) return undefined;
    let lines = this.#sources.get(file);
    if (lines === undefined) {
      const comment =
        /"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|\/\*[\s\S]*?(?:\*\/|$)|\/\/(?:\\\r?\n|[^\n])*/g;
      const bare = source.replace(comment, text =>
        text.startsWith('/') && !/^\/[*/][\s@]*@[\s@]*ghost\b/.test(text)
          ? text.replace(/[^\n]/g, ' ')
          : text,
      );
      lines = bare.split('\n');
      this.#sources.set(file, lines);
    }
    return lines;
  }
}
