/**
 * Lines of source files, for the renderers.
 *
 * This room reads no files: the caller provides a function (`ReadSource`) that returns `undefined`
 * for a missing file. clang counts columns in *bytes* of UTF-8, JavaScript strings in UTF-16 units;
 * `indexOfColumn` alone converts between the two.
 */

/** The text of a source file, or undefined if it cannot be read. */
export type ReadSource = (file: string) => string | undefined;

export class SourceFiles {
  readonly #read: ReadSource;
  readonly #lines = new Map<string, readonly string[]>();

  constructor(read: ReadSource) {
    this.#read = read;
  }

  /**
   * Line `number` (1-based) without its line end; undefined when the file or the line does not
   * exist.
   */
  line(file: string, number: number): string | undefined {
    let lines = this.#lines.get(file);
    if (lines === undefined) {
      lines = this.#read(file)?.split(/\r\n|\n|\r/) ?? [];
      this.#lines.set(file, lines);
    }
    return lines[number - 1];
  }
}

/**
 * The string index of a 1-based byte column; past the end, the line's length. Column 0 (unknown)
 * counts as 1.
 */
export function indexOfColumn(line: string, column: number): number {
  let bytes = 1;
  let index = 0;
  for (const character of line) {
    if (bytes >= column) return index;
    bytes += utf8Length(character.codePointAt(0)!);
    index += character.length;
  }
  return index;
}

function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x1_0000 ? 3 : 4;
}
