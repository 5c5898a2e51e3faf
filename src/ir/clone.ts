/** Copies of instructions and functions, for passes that repeat code. */
import type { Block, Instruction, IrFunction, Value } from './model.js';
import { mapDebugOperands, mapOperands, mapSuccessors, terminatorOf } from './operands.js';

/**
 * A copy with the same operands; changing the operands or argument attributes of one does not
 * affect the other.
 */
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
      copy.argAttributes = [...copy.argAttributes];
      copy.bundles = copy.bundles?.map(bundle => ({ ...bundle, operands: [...bundle.operands] }));
      break;
    case 'debug-record':
      copy.values = [...copy.values];
      copy.assign = copy.assign && { ...copy.assign };
      break;
  }
  return copy;
}

/** A copy under another name with internal linkage. No `blockaddress` may refer to its blocks. */
export function cloneFunction(target: IrFunction, name: string): IrFunction {
  const copy: IrFunction = {
    ...target,
    name,
    linkage: 'internal',
    visibility: 'default',
    comdat: undefined,
    arguments: target.arguments.map(argument => ({ ...argument })),
  };
  const values = new Map<Value, Value>(target.arguments.map((argument, i) => [argument, copy.arguments[i]!]));
  const blocks = new Map<Block, Block>();
  for (const block of target.blocks) {
    const instructions = block.instructions.map(cloneInstruction);
    for (const [i, instruction] of block.instructions.entries()) values.set(instruction, instructions[i]!);
    blocks.set(block, { ...block, instructions });
  }
  copy.blocks = [...blocks.values()];
  const mapped = (value: Value): Value => values.get(value) ?? value;
  for (const block of copy.blocks) {
    for (const instruction of block.instructions) {
      mapOperands(instruction, mapped);
      mapDebugOperands(instruction, mapped);
      if (instruction.op === 'phi') instruction.blocks = instruction.blocks.map(from => blocks.get(from)!);
    }
    const last = terminatorOf(block);
    if (last !== undefined) mapSuccessors(last, to => blocks.get(to)!);
  }
  return copy;
}
