/**
 * Edits of a text by offset. An insertion does not move what follows: a line marker and blanks
 * restore the line and column, so that clang's debug information is that of the source.
 */
import type { AnnotatedText } from './annotated-text.js';

export interface SourceLine {
  readonly file: string;
  readonly line: number;
}

/** Code that may still grow is given as a function, which is called last. */
export type Code = string | (() => string);

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly code: Code;
  readonly at: SourceLine;
  /**
   * For code that closes what was opened elsewhere: that offset. It precedes all code that opens,
   * innermost first.
   */
  readonly closes: number | undefined;
}

export class Edits {
  readonly #edits: Edit[] = [];

  constructor(private readonly text: AnnotatedText) {}

  /** Inserts code, all in one line, before the offset; its line in debug information is `at`. */
  insert(offset: number, code: Code, at: SourceLine = this.text.locate(offset)): void {
    this.replace(offset, offset, code, at);
  }

  /** Inserts code after what ends at the offset; `opened` is its beginning. */
  close(offset: number, opened: number, code: Code, at: SourceLine = this.text.locate(offset)): void {
    this.#edits.push({ start: offset, end: offset, code, at, closes: opened });
  }

  replace(start: number, end: number, code: Code, at: SourceLine = this.text.locate(start)): void {
    this.#edits.push({ start, end, code, at, closes: undefined });
  }

  /** Applies all edits; those at one offset in the order of the requests. */
  apply(): string {
    const { text, locate } = this.text;
    const edits = this.#edits
      .map((edit, index) => ({ ...edit, index }))
      .sort((a, b) => a.start - b.start || inOnePlace(a, b));
    let result = '';
    let at = 0;
    for (const { start, end, code, at: line } of edits) {
      if (start > at) {
        result += text.slice(at, start);
        at = start;
      }
      const back = locate(end);
      result += `\n${marker(line)}\n${typeof code === 'string' ? code : code()}\n${marker(back)}\n${' '.repeat(back.column - 1)}`;
      at = Math.max(at, end);
    }
    return result + text.slice(at);
  }
}

/**
 * Closing code precedes opening code; inner precedes outer, and for one statement the last comes
 * first.
 */
function inOnePlace(a: Edit & { index: number }, b: Edit & { index: number }): number {
  if (a.closes === undefined && b.closes === undefined) return a.index - b.index;
  if (a.closes === undefined) return 1;
  if (b.closes === undefined) return -1;
  return b.closes - a.closes || b.index - a.index;
}

function marker({ file, line }: SourceLine): string {
  return `# ${line} "${file.replace(/[\\"]/g, '\\$&')}"`;
}
