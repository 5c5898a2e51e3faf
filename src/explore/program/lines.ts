/** The source lines of each block, for coverage. */
import { isInLibrary } from '../../findings/finding.js';
import { functionLocation, lineOf } from '../../ir/debug.js';
import type { Block, IrFunction } from '../../ir/model.js';

/** The lines of each block, as clang wrote it; undefined for functions of the library. */
export function linesOfBlocks(target: IrFunction): ReadonlyMap<Block, readonly number[]> | undefined {
  const place = functionLocation(target);
  if (place === undefined || isInLibrary(place)) return undefined;
  return new Map(target.blocks.map(block => [block, linesOf(block)]));
}

/** Inlined code is not considered, because clang's front end inlines nothing. */
function linesOf({ instructions }: Block): number[] {
  const lines = new Set<number>();
  for (const instruction of instructions) {
    const line = instruction.op === 'debug-record' ? undefined : lineOf(instruction);
    if (line !== undefined && line > 0) lines.add(line);
  }
  return [...lines];
}
