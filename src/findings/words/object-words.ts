/**
 * The name of an object in messages: its name in the program if it has one, otherwise a
 * description.
 */
import { allocaMemory, type MemoryObject, type Stack, temporary } from '../finding.js';
import { amount } from './numbers.js';

type Named = Pick<MemoryObject, 'kind' | 'name' | 'bytes'>;

/** What the memory of a local is for (`passes/described-locals.ts`). */
interface LocalFacts {
  readonly what: 'variable' | 'result' | 'literal' | 'alloca' | 'temporary';
  readonly variable?: { readonly name: string };
}

/** The folder of the code that calls fuzz targets. */
const harness = '/redzone/libc/input/';

/** Names of objects that have none in the program. */
export const stringLiteral = 'string literal';
const compoundLiteral = 'compound literal';
const initialValue = 'initial value';
/** The blocks that the library's start-up code allocates. */
export const startUpBlock = 'the arguments or environment of the program';
/** clang's local for the value of `return`, if a function may end without one. */
export const functionResult = 'the result of this function';
/** The argument of a fuzz target. */
export const inputBlock = 'the input';

/**
 * The name of a global variable of the IR in messages. clang generates names for objects without
 * one: string literals, and constants from which locals are initialized.
 */
export function globalName(name: string): string {
  if (/^\.str(\.\d+)?$/.test(name)) return stringLiteral;
  if (name.startsWith('__const.')) return initialValue;
  return /^\.compoundliteral(\.\d+)?$/.test(name) ? compoundLiteral : name;
}

/** The name of a local in messages; one that no variable describes is a temporary object. */
export function localName(local: LocalFacts | undefined): string {
  switch (local?.what) {
    case 'variable':
      return local.variable?.name ?? temporary;
    case 'result':
      return functionResult;
    case 'literal':
      return compoundLiteral;
    case 'alloca':
      return allocaMemory;
    case 'temporary':
    case undefined:
      return temporary;
  }
}

/** Whether it is a constant that the compiler generated, whose name means nothing to the reader. */
export function isCompilersOwn({ name }: Named): boolean {
  return name?.startsWith('.') === true;
}

/** Whether it is the name of a block that the program itself did not allocate. */
function isLibrarys(name: string | undefined): name is string {
  return name === startUpBlock || name === inputBlock;
}

/** The name of a block that the library allocated before the program's own code ran. */
export function librarysBlock(allocated: Stack): string {
  return allocated.some(({ file }) => file.startsWith(harness)) ? inputBlock : startUpBlock;
}

/** "a block of 16 bytes", "`buffer` of 8 bytes". */
export function withSize(object: Named): string {
  const size = amount(object.bytes, 'byte');
  if (isLibrarys(object.name)) return `${object.name} (${size})`;
  return `${withoutSize(object)} of ${size}`;
}

/** "a block", "`buffer`", "a string literal". */
export function withoutSize({ kind, name }: Named): string {
  if (name === undefined) return kind === 'heap' ? 'a block' : 'an object';
  if (isLibrarys(name) || name === functionResult || name === allocaMemory) return name;
  if (name === initialValue) return `the ${initialValue} of a local`;
  if (name === stringLiteral || name === compoundLiteral || name === temporary) return `a ${name}`;
  return `\`${name}\``;
}

/** The same object when it is mentioned again: "the block", "`buffer`", "the string literal". */
export function again(object: Named): string {
  return withoutSize(object).replace(/^an? /, 'the ');
}
