/** Cuts the text of a model file into tokens, each with its line and column. */
import { type Position, Problem } from './problem.js';

export interface Scanned {
  readonly match: RegExpExecArray;
  readonly at: Position;
}

/**
 * The matches of `token`, a sticky expression, from the beginning of the text to its end; where it
 * does not match, the problem is what `complaint` says of that character.
 */
export function* scan(
  text: string,
  token: RegExp,
  complaint: (character: string) => string,
): Iterable<Scanned> {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < text.length; ) {
    token.lastIndex = at;
    const match = token.exec(text);
    const here: Position = { line, column: at - lineStart + 1 };
    if (match === null) throw new Problem(complaint(text[at]!), here);
    yield { match, at: here };
    const [whole] = match;
    for (let i = whole.indexOf('\n'); i >= 0; i = whole.indexOf('\n', i + 1)) {
      line++;
      lineStart = at + i + 1;
    }
    at += whole.length;
  }
}

/** Where the text ends. */
export function endOf(text: string): Position {
  const lines = text.split('\n');
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}
