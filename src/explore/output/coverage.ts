/**
 * Which lines of the program some path has run, in the format of lcov (`genhtml coverage.info`).
 *
 * A line counts as run, once, as soon as one block with code of it was; how often is not counted.
 */

import { functionLocation } from '../../ir/debug.js';
import { linesOfBlocks } from '../program/lines.js';
import type { Program } from '../program/program.js';

interface FileCoverage {
  readonly functions: { readonly name: string; readonly line: number; readonly isRun: boolean }[];
  readonly lines: Map<number, boolean>;
}

/** `covered` says of each decoded block whether it was run. */
export function lcov(program: Program, covered: Uint8Array): string {
  const files = new Map<string, FileCoverage>();
  for (const target of program.functions()) {
    const place = functionLocation(target.ir);
    const byBlock = target.lines ?? (target.isDecoded ? undefined : linesOfBlocks(target.ir));
    if (place === undefined || byBlock === undefined || byBlock.size === 0) continue;
    const file = files.get(place.file) ?? { functions: [], lines: new Map<number, boolean>() };
    files.set(place.file, file);
    const run = new Set(target.blocks.filter(({ id }) => covered[id] !== 0).map(({ ir }) => ir));
    file.functions.push({ name: place.function ?? target.name, line: place.line, isRun: run.size > 0 });
    const known = new Set(target.blocks.map(({ ir }) => ir));
    for (const [block, lines] of byBlock) {
      // A block that was joined with another has no count of its own.
      if (target.isDecoded && !known.has(block)) continue;
      for (const line of lines) file.lines.set(line, file.lines.get(line) === true || run.has(block));
    }
  }
  return [...files].map(([name, file]) => record(name, file)).join('');
}

function record(name: string, { functions, lines }: FileCoverage): string {
  const count = (isRun: boolean): number => (isRun ? 1 : 0);
  const sorted = [...lines].sort(([a], [b]) => a - b);
  return [
    'TN:redzone',
    `SF:${name}`,
    ...functions.map(({ name, line }) => `FN:${line},${name}`),
    ...functions.map(({ name, isRun }) => `FNDA:${count(isRun)},${name}`),
    `FNF:${functions.length}`,
    `FNH:${functions.filter(({ isRun }) => isRun).length}`,
    ...sorted.map(([line, isRun]) => `DA:${line},${count(isRun)}`),
    `LF:${sorted.length}`,
    `LH:${sorted.filter(([, isRun]) => isRun).length}`,
    'end_of_record\n',
  ].join('\n');
}
