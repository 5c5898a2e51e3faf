/** Copies of instructions, for passes that repeat code. */
import type { Instruction } from './model.js';

/** The same instruction once more, with the same operands; changing the operands of one leaves the other alone. */
export function cloneInstruction(instruction: Instruction): Instruction {
  const copy = { ...instruction };
  switch (copy.op) {
    case 'phi':
      copy.values = [...copy.values];
      copy.blocks = [...copy.blocks];
      break;
    case 'getelementptr':
      copy.indices = [...copy.indices];
      break;
    case 'switch':
      copy.caseTargets = [...copy.caseTargets];
      break;
    case 'call':
    case 'callbr':
      copy.args = [...copy.args];
      copy.bundles = copy.bundles?.map(bundle => ({ ...bundle, operands: [...bundle.operands] }));
      break;
  }
  return copy;
}
