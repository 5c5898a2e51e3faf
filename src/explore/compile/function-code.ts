/**
 * What the code of single instructions asks of the function that it becomes a part of
 * (`emit-javascript.ts`).
 */
import type { Instruction, Value as IrValue } from '../../ir/model.js';
import type { Passing } from '../instructions/calls.js';
import type { Program } from '../program/program.js';
import type { DecodedFunction, Native } from '../state/decoded.js';

/**
 * The names of the variables that remember an object. Its address is in an array of doubles: a
 * variable would be a new number of V8's heap each time.
 */
export interface ObjectCache {
  readonly base: string;
  readonly first: string;
  readonly end: string;
  readonly low: string;
  readonly high: string;
  readonly data: string;
  readonly epoch: string;
  /** The function that asks the machine for another one. */
  readonly ask: string;
  /** The function that takes over what the window is open on. */
  readonly take: string;
}

export interface FunctionCode {
  readonly program: Program;
  readonly target: DecodedFunction;
  /** What the code refers to by number: it adds to these lists. */
  readonly instructions: Instruction[];
  readonly natives: Native[];
  readonly callees: DecodedFunction[];
  readonly passings: Passing[];
  /** Leaves to the interpreter, which runs this step. */
  readonly leave: string;
  /** The operand as an expression without effects. */
  operand(value: IrValue): string;
  /** The variable that holds a result. */
  result(instruction: Instruction): string;
  bits(value: IrValue): number;
  /** Do stores of the function find their object by this pointer? */
  isStoredThrough(root: IrValue): boolean;
  cacheFor(root: IrValue, how: 'readable' | 'writable'): ObjectCache;
  /**
   * The number of an indirect call, which remembers its last target in `P` and `G` of that number.
   */
  newIndirectCall(): number;
}
