/**
 * The lines of the program that some path has executed.
 *
 * A line counts as executed once one block with code of it was; hits are not counted.
 */

import type { FileCoverage } from '../../findings/line-coverage.js';
import { functionLocation } from '../../ir/debug.js';
import { linesOfBlocks } from '../program/lines.js';
import type { Program } from '../program/program.js';

interface OpenFile {
  readonly functions: { readonly name: string; readonly line: number; readonly hits: number }[];
  readonly lines: Map<number, boolean>;
}

/** `covered` says for each decoded block whether it was executed. */
export function coverageOf(program: Program, covered: Uint8Array): FileCoverage[] {
  const files = new Map<string, OpenFile>();
  for (const target of program.functions()) {
    const place = functionLocation(target.ir);
    const byBlock = target.lines ?? (target.isDecoded ? undefined : linesOfBlocks(target.ir));
    if (place === undefined || byBlock === undefined || byBlock.size === 0) continue;
    const file = files.get(place.file) ?? { functions: [], lines: new Map<number, boolean>() };
    files.set(place.file, file);
    const run = new Set(target.blocks.filter(({ id }) => covered[id] !== 0).map(({ ir }) => ir));
    file.functions.push({
      name: place.function ?? target.name,
      line: place.line,
      hits: run.size > 0 ? 1 : 0,
    });
    const known = new Set(target.blocks.map(({ ir }) => ir));
    for (const [block, lines] of byBlock) {
      // A block that was merged into another has no count.
      if (target.isDecoded && !known.has(block)) continue;
      for (const line of lines) file.lines.set(line, file.lines.get(line) === true || run.has(block));
    }
  }
  return [...files].map(([file, { functions, lines }]) => ({
    file,
    functions,
    lines: [...lines].sort(([a], [b]) => a - b).map(([line, isRun]) => [line, isRun ? 1 : 0] as const),
  }));
}
