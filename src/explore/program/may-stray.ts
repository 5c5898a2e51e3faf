/**
 * Finds the pointer steps of a function whose result may leave its object unnoticed (see
 * `access/strays.ts`).
 *
 * An access through a getelementptr is checked against the pointer from which it was computed, so
 * only results that are used elsewhere matter: stored, passed to a call, or merged by a phi. A step
 * by a small constant cannot reach another object.
 */
import type { DataLayout } from '../../ir/data-layout.js';
import type { GetElementPtrInstruction, Instruction, IrFunction, Value } from '../../ir/model.js';
import { forEachOperand } from '../../ir/operands.js';
import { isReportOfIndex } from '../../passes/inner-bounds.js';
import { SHORT_STEP } from '../memory/address-space.js';

export function mayStray(layout: DataLayout, { blocks }: IrFunction): ReadonlySet<Instruction> {
  const escaping = new Set<Value>();
  const steps: GetElementPtrInstruction[] = [];
  for (const { instructions } of blocks) {
    for (const instruction of instructions) {
      if (instruction.op === 'debug-record') continue;
      if (instruction.op === 'getelementptr') steps.push(instruction);
      forEachOperand(instruction, operand => {
        if (isEscape(instruction, operand)) escaping.add(operand);
      });
    }
  }
  // The operands of an escaping pointer step escape with it.
  for (const step of steps.toReversed()) if (escaping.has(step)) escaping.add(step.base);
  return new Set(
    steps.filter(step => {
      if (step.type.kind !== 'pointer' || !escaping.has(step)) return false;
      const { constantBytes, scaled } = layout.gepSteps(step.sourceType, step.indices);
      return scaled.length > 0 || constantBytes > SHORT_STEP || constantBytes < -SHORT_STEP;
    }),
  );
}

/** Whether the pointer loses its provenance by this use. */
function isEscape(user: Instruction, operand: Value): boolean {
  switch (user.op) {
    case 'load':
    case 'getelementptr':
    case 'icmp':
      return false;
    case 'store':
      return user.value === operand;
    case 'call':
      // A report ends the path and uses the pointer as it is.
      return !isReportOfIndex(user);
    default:
      return true;
  }
}
