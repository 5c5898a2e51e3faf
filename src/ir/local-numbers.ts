/** The numbers that textual IR gives to the unnamed arguments, blocks and results of a function. */
import type { Argument, Block, Instruction, IrFunction } from './model.js';
import { voidType } from './types.js';

export type Local = Argument | Block | Instruction;

/** In the order of the text, from 0; what has a name has no number. */
export function numberLocals(target: IrFunction): Map<Local, number> {
  const numbers = new Map<Local, number>();
  for (const argument of target.arguments) {
    if (argument.name === undefined) numbers.set(argument, numbers.size);
  }
  for (const block of target.blocks) {
    if (block.name === undefined) numbers.set(block, numbers.size);
    for (const instruction of block.instructions) {
      if (instruction.name === undefined && instruction.type !== voidType) {
        numbers.set(instruction, numbers.size);
      }
    }
  }
  return numbers;
}
