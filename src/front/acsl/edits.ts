/**
 * Changes of a text by offset. What is put in does not move what follows: behind it a line marker
 * and blanks bring the rest back to its line and column, so that clang's debug information stays
 * that of the source.
 */
import type { AnnotatedText } from './annotated-text.js';

export interface SourceLine {
  readonly file: string;
  readonly line: number;
}

/** Code that may still grow is requested last. */
export type Code = string | (() => string);

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly code: Code;
  readonly at: SourceLine;
  /**
   * For code that closes what was opened elsewhere: where. It comes before all that opens,
   * innermost first.
   */
  readonly closes: number | undefined;
}

export class Edits {
  readonly #edits: Edit[] = [];

  constructor(private readonly text: AnnotatedText) {}

  /** Puts code, all in one line, before the offset; debug information calls it the line `at`. */
  insert(offset: number, code: Code, at: SourceLine = this.text.locate(offset)): void {
    this.replace(offset, offset, code, at);
  }

  /** Puts code behind what ends at the offset; `opened` is where that begins. */
  close(offset: number, opened: number, code: Code, at: SourceLine = this.text.locate(offset)): void {
    this.#edits.push({ start: offset, end: offset, code, at, closes: opened });
  }

  replace(start: number, end: number, code: Code, at: SourceLine = this.text.locate(start)): void {
    this.#edits.push({ start, end, code, at, closes: undefined });
  }

  /** The text with all changes; those of one place in the order of the requests. */
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

/** What closes comes before what opens; inner before outer, and of one statement the last first. */
function inOnePlace(a: Edit & { index: number }, b: Edit & { index: number }): number {
  if (a.closes === undefined && b.closes === undefined) return a.index - b.index;
  if (a.closes === undefined) return 1;
  if (b.closes === undefined) return -1;
  return b.closes - a.closes || b.index - a.index;
}

function marker({ file, line }: SourceLine): string {
  return `# ${line} "${file.replace(/[\\"]/g, '\\$&')}"`;
}
