/**
 * The mark of branches and calls that belong to a check and not to the program. clang puts
 * `!nosanitize` on what `-fsanitize` inserts, and our passes put it on what they insert, so that
 * undefined conditions there are not reported, labels do not count, and the fuzzer counts no edges.
 */
import { tupleNode } from './metadata.js';
import type { Instruction } from './model.js';

export const checkMark: Instruction['metadata'] = [{ name: 'nosanitize', node: tupleNode([]) }];

export function isOfCheck({ metadata }: Instruction): boolean {
  return metadata?.some(({ name }) => name === 'nosanitize') === true;
}

/**
 * The mark of loads that copy a member of a structure (`passes/split-structs.ts`): copying
 * undefined bytes is no error, so they are reported where the member is used.
 */
export const copyMark: Instruction['metadata'] = [{ name: 'redzone.copy', node: tupleNode([]) }];

export function isOfCopy({ metadata }: Instruction): boolean {
  return metadata?.some(({ name }) => name === 'redzone.copy') === true;
}

/**
 * The mark of accesses that copy a part of a structure. Copying one from or to a misaligned address
 * is not reported, whatever becomes of the copy.
 */
export const passedMark: Instruction['metadata'] = [{ name: 'redzone.passed', node: tupleNode([]) }];

export function isOfPassing({ metadata }: Instruction): boolean {
  return metadata?.some(({ name }) => name === 'redzone.passed') === true;
}
