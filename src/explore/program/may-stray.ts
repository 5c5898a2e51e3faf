/**
 * Finds the pointer steps of a function whose result may leave its object unnoticed (see
 * `access/strays.ts`).
 *
 * An access through a getelementptr is checked against the pointer from which it was computed, so
 * only results that are used elsewhere matter: stored, passed to a call, or merged by a phi. A step
 * by a small constant cannot reach another object.
 */
import type { DataLayout } from '../../ir/data-layout.js';
import type { Instruction, IrFunction, Value } from '../../ir/model.js';
import { isReportOfIndex } from '../../passes/inner-bounds.js';
import { usedSteps } from '../../passes/used-steps.js';
import { SHORT_STEP } from '../memory/address-space.js';

export function mayStray(layout: DataLayout, target: IrFunction): ReadonlySet<Instruction> {
  return new Set(
    usedSteps(target, isEscape).filter(step => {
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
      // An unknown use may keep the pointer, which is the safe answer.
      return true;
  }
}
