/**
 * Which lines of a program were run, as plain data and in the format of lcov (`genhtml
 * coverage.info`). What a hit is depends on the engine: `explore` says 1 for a line that some path
 * has run, `fuzz` counts the inputs that come to it.
 */

export interface FileCoverage {
  readonly file: string;
  readonly functions: readonly { readonly name: string; readonly line: number; readonly hits: number }[];
  /** Hits by line, the lines in order; a line without code is not in it. */
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
