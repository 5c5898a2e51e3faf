/**
 * Which steps of a function may make a pointer that leaves its object unseen (see
 * `access/strays.ts`)?
 *
 * An access through a getelementptr is judged by the pointer it was computed from, so only results
 * that go elsewhere matter: into memory, to a call, through a phi. A step by a small constant
 * cannot reach another object.
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
  // What a pointer is computed from escapes with it.
  for (const step of steps.toReversed()) if (escaping.has(step)) escaping.add(step.base);
  return new Set(
    steps.filter(step => {
      if (step.type.kind !== 'pointer' || !escaping.has(step)) return false;
      const { constantBytes, scaled } = layout.gepSteps(step.sourceType, step.indices);
      return scaled.length > 0 || constantBytes > SHORT_STEP || constantBytes < -SHORT_STEP;
    }),
  );
}

/** Does the pointer lose its provenance by this use? */
function isEscape(user: Instruction, operand: Value): boolean {
  switch (user.op) {
    case 'load':
    case 'getelementptr':
    case 'icmp':
      return false;
    case 'store':
      return user.value === operand;
    case 'call':
      // A report ends the path, and is about the pointer as it is.
      return !isReportOfIndex(user);
    default:
      return true;
  }
}
