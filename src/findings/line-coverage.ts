/**
 * The lines of a program that were executed, as plain data and in the format of lcov (`genhtml
 * coverage.info`). The meaning of a hit depends on the engine: `explore` reports 1 for a line that
 * some path has executed, `fuzz` counts the inputs that reach it.
 */

export interface FileCoverage {
  readonly file: string;
  readonly functions: readonly { readonly name: string; readonly line: number; readonly hits: number }[];
  /** Hits by line, in order of lines; lines without code are omitted. */
  readonly lines: readonly (readonly [line: number, hits: number])[];
}

export function lcovText(files: readonly FileCoverage[]): string {
  return files.map(recordOf).join('');
}

function recordOf({ file, functions, lines }: FileCoverage): string {
  return [
    'TN:redzone',
    `SF:${file}`,
    ...functions.map(({ name, line }) => `FN:${line},${name}`),
    ...functions.map(({ name, hits }) => `FNDA:${hits},${name}`),
    `FNF:${functions.length}`,
    `FNH:${functions.filter(({ hits }) => hits > 0).length}`,
    ...lines.map(([line, hits]) => `DA:${line},${hits}`),
    `LF:${lines.length}`,
    `LH:${lines.filter(([, hits]) => hits > 0).length}`,
    'end_of_record\n',
  ].join('\n');
}
