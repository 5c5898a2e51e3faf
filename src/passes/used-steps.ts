/**
 * Finds the pointer steps (getelementptr) of a function whose result is used in a certain way,
 * directly or as the base of another such step.
 */
import type { GetElementPtrInstruction, Instruction, IrFunction, Value } from '../ir/model.js';
import { forEachOperand } from '../ir/operands.js';

export function usedSteps(
  { blocks }: IrFunction,
  isUse: (user: Instruction, operand: Value) => boolean,
): GetElementPtrInstruction[] {
  const steps: GetElementPtrInstruction[] = [];
  const used = new Set<Value>();
  for (const { instructions } of blocks) {
    for (const instruction of instructions) {
      if (instruction.op === 'debug-record') continue;
      if (instruction.op === 'getelementptr') steps.push(instruction);
      forEachOperand(instruction, operand => {
        if (isUse(instruction, operand)) used.add(operand);
      });
    }
  }
  for (const step of steps.toReversed()) if (used.has(step)) used.add(step.base);
  return steps.filter(step => step.type.kind === 'pointer' && used.has(step));
}

/** Whether the pointer is used for something other than an access. */
export function isUsedAsValue(user: Instruction, operand: Value): boolean {
  switch (user.op) {
    case 'load':
    case 'getelementptr':
      return false;
    case 'store':
      return user.value === operand;
    default:
      // An unknown use needs the true value of the pointer, which is the safe answer.
      return true;
  }
}
