/**
 * Removes unreachable code and unused values.
 *
 * An instruction is dead if its result is unused and no engine would report on it. That is narrower
 * than in a compiler: a division may be by zero, an `add nsw` may overflow, a shift may be too far,
 * a cast from float may not fit, a load may read what it must not. Those stay, used or not.
 */

import { reversePostorder } from '../ir/dominance.js';
import { type Block, Flag, type Instruction, type IrFunction, type Value } from '../ir/model.js';
import { opcodes } from '../ir/opcodes.js';
import { forEachOperand } from '../ir/operands.js';

/**
 * Removes the unreachable blocks, and their entries in phis. `addressTaken` are the blocks with a
 * `blockaddress` in the module, which stay. Returns the number removed.
 */
export function removeUnreachableBlocks(
  target: IrFunction,
  addressTaken: ReadonlySet<Block> = new Set(),
): number {
  const reached = new Set(reversePostorder(target));
  const kept = target.blocks.filter(block => reached.has(block) || addressTaken.has(block));
  const removed = target.blocks.length - kept.length;
  if (removed === 0) return 0;
  const keptSet = new Set(kept);
  target.blocks = kept;
  for (const block of kept) {
    for (const phi of block.instructions) {
      if (phi.op !== 'phi') continue;
      phi.values = phi.values.filter((_, index) => keptSet.has(phi.blocks[index]!));
      phi.blocks = phi.blocks.filter(from => keptSet.has(from));
    }
  }
  return removed;
}

const reportable: number = Flag.nsw | Flag.nuw | Flag.exact | Flag.inbounds | Flag.nusw;

/** Whether it can be removed if its result is unused, without hiding an error of the program. */
function isRemovable(instruction: Instruction): boolean {
  const { unused } = opcodes[instruction.op];
  if (unused !== 'kept if flagged') return unused === 'removable';
  return !('flags' in instruction) || (instruction.flags & reportable) === 0;
}

/**
 * Removes dead instructions, and phis that only feed one another. A value that only debug records
 * name is kept, because a finding may show it. Returns the number removed.
 */
export function removeDeadCode(target: IrFunction): number {
  const needed = new Set<Value>();
  const pending: Instruction[] = [];
  const need = (value: Value): void => {
    if (value.kind !== 'instruction' || needed.has(value)) return;
    needed.add(value);
    pending.push(value);
  };
  for (const block of target.blocks) {
    for (const instruction of block.instructions) {
      if (!isRemovable(instruction)) need(instruction);
      if (instruction.op === 'debug-record') instruction.values.forEach(need);
    }
  }
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) forEachOperand(next, need);
  let removed = 0;
  for (const block of target.blocks) {
    const kept = block.instructions.filter(instruction => needed.has(instruction));
    removed += block.instructions.length - kept.length;
    block.instructions = kept;
  }
  return removed;
}
