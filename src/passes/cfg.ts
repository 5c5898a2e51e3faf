/**
 * The control-flow graph of a function: the reachable blocks, numbered in reverse postorder, and
 * the edges between them.
 *
 * Terminators have the successors; this adds the predecessors. It is a snapshot: a pass that
 * changes edges computes it again.
 *
 * **Invariants**: block 0 is the entry; `predecessors[s]` has one entry for each edge into `s`, in
 * the order of the edges' sources, so a switch with two cases for one target is there twice, as in
 * that target's phis.
 */
import { reversePostorder } from '../ir/dominance.js';
import type { Block, IrFunction } from '../ir/model.js';
import { successorsOf } from '../ir/operands.js';

export interface Cfg {
  readonly blocks: readonly Block[];
  readonly numberOf: ReadonlyMap<Block, number>;
  readonly successors: readonly (readonly number[])[];
  readonly predecessors: readonly (readonly number[])[];
}

export function buildCfg(target: IrFunction): Cfg {
  const blocks = reversePostorder(target);
  const numberOf = new Map(blocks.map((block, index) => [block, index]));
  const successors = blocks.map(block => successorsOf(block).map(successor => numberOf.get(successor)!));
  const predecessors: number[][] = blocks.map(() => []);
  successors.forEach((list, index) => {
    for (const successor of list) predecessors[successor]!.push(index);
  });
  return { blocks, numberOf, successors, predecessors };
}
