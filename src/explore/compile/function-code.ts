/**
 * The interface between the code generators of single instructions and the function that they are
 * part of (`emit-javascript.ts`).
 */
import type { Instruction, Value as IrValue } from '../../ir/model.js';
import type { Passing } from '../instructions/calls.js';
import type { Program } from '../program/program.js';
import type { DecodedFunction, Native } from '../state/decoded.js';

/**
 * The names of the variables that cache an object. Its address is in an array of doubles, because a
 * variable would allocate a new heap number each time.
 */
export interface ObjectCache {
  readonly base: string;
  readonly first: string;
  readonly end: string;
  readonly low: string;
  readonly high: string;
  readonly data: string;
  readonly epoch: string;
  /** The function that requests another object from the machine. */
  readonly ask: string;
  /** The function that copies the window into the cache. */
  readonly take: string;
}

export interface FunctionCode {
  readonly program: Program;
  readonly target: DecodedFunction;
  /** Lists of objects to which the code refers by number; generators append to them. */
  readonly instructions: Instruction[];
  readonly natives: Native[];
  readonly callees: DecodedFunction[];
  readonly passings: Passing[];
  /** Exits to the interpreter, which executes this step. */
  readonly leave: string;
  /** The operand as an expression without effects. */
  operand(value: IrValue): string;
  /** The variable that holds a result. */
  result(instruction: Instruction): string;
  bits(value: IrValue): number;
  /** Whether stores of the function find their object through this pointer. */
  isStoredThrough(root: IrValue): boolean;
  cacheFor(root: IrValue, how: 'readable' | 'writable'): ObjectCache;
  /** The number of an indirect call, which caches its last target in `P` and `G` at that number. */
  newIndirectCall(): number;
}
