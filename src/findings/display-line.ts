/**
 * A source line as a terminal shows it: tabs are expanded, characters without a glyph are replaced,
 * and the cells of each character are known.
 *
 *     source   \t p = "日" ;          string indices 0 1 2 …
 *     text     ····p = "日" ;         one cell per character, two for 日, up to a tab stop for \t
 *     cellOf   [0, 4, 5, …]           cell where string index i begins; one entry more for the line's end
 *
 * Carets are placed by cells, never by string indices, so that they are aligned with the source.
 * Control characters and the bidirectional overrides (which can make code read as something else)
 * become U+FFFD.
 *
 * The table of wide ranges is short on purpose: CJK, Hangul, full-width forms and emoji. A
 * character of another wide block only misplaces the carets by one cell.
 */
const tabStop = 4;

export interface DisplayLine {
  readonly text: string;
  readonly cellOf: readonly number[];
}

export function displayLine(line: string): DisplayLine {
  const cellOf: number[] = [];
  let text = '';
  let cell = 0;
  for (const character of line) {
    for (let unit = 0; unit < character.length; unit++) cellOf.push(cell);
    if (character === '\t') {
      const width = tabStop - (cell % tabStop);
      text += ' '.repeat(width);
      cell += width;
    } else {
      const shown = hasNoGlyph.test(character) ? '\ufffd' : character;
      text += shown;
      cell += cellsOf(shown);
    }
  }
  cellOf.push(cell);
  return { text, cellOf };
}

/** The number of terminal cells that a string takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += cellsOf(character);
  return width;
}

const hasNoGlyph = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const takesNoCell = /[\p{Mn}\p{Me}\u200b-\u200d\ufeff]/u;

function cellsOf(character: string): number {
  const codePoint = character.codePointAt(0)!;
  if (codePoint < 0x300) return 1;
  if (takesNoCell.test(character)) return 0;
  return wideRanges.some(([first, last]) => codePoint >= first && codePoint <= last) ? 2 : 1;
}

const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];
