/**
 * What an object is called: by its name where the program gives it one, by what it is otherwise.
 */
import type { MemoryObject, Stack } from '../finding.js';
import { plural } from './numbers.js';

type Named = Pick<MemoryObject, 'kind' | 'name' | 'bytes'>;

/** Where the code is that calls fuzz targets. */
const harness = '/redzone/libc/input/';

/** Names of what has none in the program. */
export const stringLiteral = 'string literal';
export const compoundLiteral = 'compound literal';
export const initialValue = 'initial value';
/** What the start-up code of the library allocates. */
export const startUpBlock = 'the arguments or environment of the program';
/** What a fuzz target is called with. */
export const inputBlock = 'the input';

/**
 * The name of a global variable of the IR for people. Clang names what the program gives no name:
 * texts, and what locals are copied from at their beginning.
 */
export function globalName(name: string): string {
  if (/^\.str(\.\d+)?$/.test(name)) return stringLiteral;
  if (name.startsWith('__const.')) return initialValue;
  return /^\.compoundliteral(\.\d+)?$/.test(name) ? compoundLiteral : name;
}

/** Is it a constant of the compiler's own, which means nothing to the reader? */
export function isCompilersOwn({ name }: Named): boolean {
  return name?.startsWith('.') === true;
}

/** Is it the name of a block that code of the program has not made? */
function isLibrarys(name: string | undefined): name is string {
  return name === startUpBlock || name === inputBlock;
}

/** The name of a block that this code of the library has allocated before the program's own ran. */
export function librarysBlock(allocated: Stack): string {
  return allocated.some(({ file }) => file.startsWith(harness)) ? inputBlock : startUpBlock;
}

/** "a block of 16 bytes", "`buffer` of 8 bytes". */
export function withSize(object: Named): string {
  const size = plural(object.bytes, 'byte');
  if (isLibrarys(object.name)) return `${object.name} (${size})`;
  return `${withoutSize(object)} of ${size}`;
}

/** "a block", "`buffer`", "a string literal". */
export function withoutSize({ kind, name }: Named): string {
  if (name === undefined) return kind === 'heap' ? 'a block' : 'an object';
  if (isLibrarys(name)) return name;
  if (name === initialValue) return `the ${initialValue} of a local`;
  if (name === stringLiteral || name === compoundLiteral) return `a ${name}`;
  return `\`${name}\``;
}

/** The same where it was spoken of before: "the block", "`buffer`", "the string literal". */
export function again(object: Named): string {
  return withoutSize(object).replace(/^an? /, 'the ');
}
