/**
 * Selects the blocks of a large function that have inline checks.
 *
 * LLVM's compile time grows faster than the number of blocks, and an inline check adds two:
 * SQLite's interpreter of 15,000 instructions took 114 s with inline checks, and 7 s with calls
 * (docs/decisions/0057). A call costs several times an inline check, though, and large functions
 * with loops are interpreters, compressors and hashes, where all the time is spent
 * (docs/decisions/0169). So a large function has a budget: the blocks of its innermost loops get
 * inline checks first, then those around them, and blocks outside loops come last.
 */
import type { Block, Instruction, IrFunction } from '../../ir/model.js';
import { DominatorTree } from '../../passes/dominators.js';
import { findLoops } from '../../passes/loops.js';

/** Functions with at most this many instructions have inline checks everywhere. */
const largestWithInlineChecks = 300;

/** The number of inline checks in a larger function. */
const budget = 400;

function isLarge({ blocks }: IrFunction): boolean {
  return blocks.reduce((sum, { instructions }) => sum + instructions.length, 0) > largestWithInlineChecks;
}

/** The blocks whose checks are calls; those in `without` have none. */
export function blocksOverBudget(
  target: IrFunction,
  isChecked: (instruction: Instruction) => boolean,
  without: ReadonlySet<Block> = new Set(),
): ReadonlySet<Block> {
  if (!isLarge(target)) return new Set();
  const depths = loopDepths(target);
  const byDepth = [...target.blocks].sort((a, b) => (depths.get(b) ?? 0) - (depths.get(a) ?? 0));
  let left = budget;
  return new Set(
    byDepth.filter(block => {
      if (!without.has(block)) left -= block.instructions.filter(isChecked).length;
      return left < 0;
    }),
  );
}

function loopDepths(target: IrFunction): ReadonlyMap<Block, number> {
  const tree = new DominatorTree(target);
  const depths = new Map<Block, number>();
  // Inner loops follow the loops around them.
  for (const { blocks, depth } of findLoops(tree))
    for (const index of blocks) depths.set(tree.cfg.blocks[index]!, depth);
  return depths;
}
