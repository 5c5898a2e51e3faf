/**
 * How the code of a large program is divided into parts: clang compiles them side by side, and
 * after a change only those anew that differ from before.
 *
 * Parts follow each other in the order of the functions. Where one ends depends on names more than
 * on sizes: before a function whose name says so, once the part is large enough. A function that
 * grows, or a new one, so moves the ends of parts nearby, and not those of all that follow.
 */
import type { IrFunction } from '../../ir/model.js';
import { contentHash } from '../../platform/files.js';
import { hash27 } from './globals.js';

/** One name in so many ends a part that is large enough. */
const seldom = 8;

/**
 * `largest` is in instructions; a function that is larger is a part of its own. Programs that would
 * be less than two parts stay whole.
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

/** A part is told from others by its first function. */
export function idOfPart(id: string, first: IrFunction): string {
  return contentHash([id, first.name]).slice(0, id.length);
}

export function sizeOf({ blocks }: IrFunction): number {
  return blocks.reduce((sum, block) => sum + block.instructions.length, 0);
}
