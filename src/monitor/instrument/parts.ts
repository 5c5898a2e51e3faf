/**
 * Divides the code of a large program into parts: clang compiles them in parallel, and after a
 * change only the parts that differ.
 *
 * Parts are in the order of the functions. The end of a part depends more on names than on sizes: a
 * large enough part ends before a function whose name's hash says so. So a function that grows, or
 * a new one, moves only the ends of nearby parts, and not of all later ones.
 */
import type { IrFunction } from '../../ir/model.js';
import { contentHash } from '../../platform/files.js';
import { hash27 } from './globals.js';

/** One in this many names ends a part that is large enough. */
const seldom = 8;

/**
 * `largest` is in instructions; a larger function is a part of its own. Programs of less than two
 * parts are not divided.
 */
export function divide(functions: readonly IrFunction[], largest: number): (readonly IrFunction[])[] {
  if (functions.reduce((sum, target) => sum + sizeOf(target), 0) < 2 * largest) return [functions];
  const parts: IrFunction[][] = [[]];
  let size = 0;
  for (const target of functions) {
    const isEnd = size > largest / 3 && hash27(target.name) % seldom === 0;
    if (isEnd || (size > 0 && size + sizeOf(target) > largest)) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)!.push(target);
    size += sizeOf(target);
  }
  return parts;
}

/** A part is identified by its first function. */
export function idOfPart(id: string, first: IrFunction): string {
  return contentHash([id, first.name]).slice(0, id.length);
}

export function sizeOf({ blocks }: IrFunction): number {
  return blocks.reduce((sum, block) => sum + block.instructions.length, 0);
}
