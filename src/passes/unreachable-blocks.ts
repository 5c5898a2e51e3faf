/** Removes the blocks of a function that no path from its entry reaches. */
import { reversePostorder } from '../ir/dominance.js';
import type { Block, IrFunction } from '../ir/model.js';

/**
 * Removes them with their entries in phis. `addressTaken` are the blocks with a `blockaddress` in
 * the module, which stay. Returns the number of removed blocks.
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
