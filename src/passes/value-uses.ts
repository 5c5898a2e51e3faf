/** The instructions of a function that use each value. IR has no use lists. */
import type { Instruction, IrFunction, Value } from '../ir/model.js';
import { forEachOperand } from '../ir/operands.js';

export function usesOf(target: IrFunction): Map<Value, Instruction[]> {
  const uses = new Map<Value, Instruction[]>();
  for (const { instructions } of target.blocks)
    for (const instruction of instructions)
      forEachOperand(instruction, operand => {
        const known = uses.get(operand);
        if (known === undefined) uses.set(operand, [instruction]);
        else known.push(instruction);
      });
  return uses;
}
