/**
 * Gives arithmetic that C leaves undefined the results that WebAssembly gives it, for an engine
 * for which the check is turned off.
 *
 *     add nsw i32 %a, %b     becomes     add i32 %a, %b
 *     shl i32 %a, %n         becomes     %m = and i32 %n, 31;  shl i32 %a, %m
 *
 * Divisions are left as they are: a machine cannot continue after a division by zero.
 */
import { Builder } from '../ir/builder.js';
import { integerConstant } from '../ir/constants.js';
import { type BinaryInstruction, Flag, type Instruction, type Module, type Value } from '../ir/model.js';

const UNDEFINED_IF_WRONG = Flag.nsw | Flag.nuw | Flag.exact;

export function makeArithmeticWrap({ functions }: Module): void {
  for (const block of functions.flatMap(({ blocks }) => blocks)) {
    const instructions: Instruction[] = [];
    for (const instruction of block.instructions) {
      if (isInteger(instruction)) {
        instruction.flags &= ~UNDEFINED_IF_WRONG;
        if (isShift(instruction)) instruction.right = amountWithin(instructions, instruction);
      }
      instructions.push(instruction);
    }
    block.instructions = instructions;
  }
}

/**
 * The operations on integers of which a result can be undefined; flags of others mean something
 * else.
 */
const integerOps: ReadonlySet<string> = new Set(['add', 'sub', 'mul', 'shl', 'lshr', 'ashr', 'sdiv', 'udiv']);

function isInteger(instruction: Instruction): instruction is BinaryInstruction {
  return integerOps.has(instruction.op);
}

function isShift({ op, right }: BinaryInstruction): boolean {
  return (op === 'shl' || op === 'lshr' || op === 'ashr') && right.type.kind === 'integer';
}

/** The amount of a shift, less than the width. */
function amountWithin(into: Instruction[], { right, debugLocation }: BinaryInstruction): Value {
  if (right.type.kind !== 'integer') return right;
  const { bits } = right.type;
  if (right.kind === 'integer')
    return integerConstant(right.type, BigInt.asUintN(bits, right.value) % BigInt(bits));
  const isPowerOfTwo = (bits & (bits - 1)) === 0;
  const limit = integerConstant(right.type, isPowerOfTwo ? bits - 1 : bits);
  return new Builder(into, debugLocation).binary(isPowerOfTwo ? 'and' : 'urem', right, limit);
}
