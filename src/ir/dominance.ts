/**
 * Immediate dominators.
 *
 * A block D dominates B if every path from the entry to B passes D. The immediate dominators form a
 * tree, computed by iterating over the reverse postorder until nothing changes: the dominator of a
 * block is the nearest common ancestor of its predecessors' (Cooper, Harvey and Kennedy, "A Simple,
 * Fast Dominance Algorithm"). It is quadratic in theory and faster than Lengauer-Tarjan on the
 * graphs that C gives.
 *
 * It is here and not in `passes` because the verifier needs it; `passes` builds its tree upon it.
 *
 * **Invariants**: only blocks that can be reached are numbered; the entry is 0 and its own
 * dominator; the number of a block's immediate dominator is smaller than its own.
 */
import type { Block, IrFunction } from './model.js';
import { successorsOf } from './operands.js';

export interface Dominance {
  /** The blocks that can be reached, in reverse postorder: a block's dominators stand before it. */
  readonly order: readonly Block[];
  readonly numberOf: ReadonlyMap<Block, number>;
  /** `immediate[n]` is the number of the immediate dominator of `order[n]`. */
  readonly immediate: Int32Array;
}

/** Requires a function with a body whose blocks all have terminators. */
export function computeDominance(target: IrFunction): Dominance {
  const order = reversePostorder(target);
  const numberOf = new Map<Block, number>(order.map((block, index) => [block, index]));
  const predecessors: number[][] = order.map(() => []);
  order.forEach((block, index) => {
    for (const successor of successorsOf(block)) predecessors[numberOf.get(successor)!]!.push(index);
  });
  const immediate = new Int32Array(order.length).fill(-1);
  immediate[0] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (let block = 1; block < order.length; block++) {
      let dominator = -1;
      for (const predecessor of predecessors[block]!) {
        if (immediate[predecessor] === -1) continue;
        dominator = dominator === -1 ? predecessor : commonAncestor(immediate, dominator, predecessor);
      }
      if (immediate[block] !== dominator) {
        immediate[block] = dominator;
        changed = true;
      }
    }
  }
  return { order, numberOf, immediate };
}

function commonAncestor(immediate: Int32Array, a: number, b: number): number {
  let left = a;
  let right = b;
  while (left !== right) {
    if (left > right) left = immediate[left]!;
    else right = immediate[right]!;
  }
  return left;
}

/** Iterative, because a function of C may have a hundred thousand blocks in a row. */
export function reversePostorder(target: IrFunction): Block[] {
  const entry = target.blocks[0];
  if (entry === undefined) return [];
  const postorder: Block[] = [];
  const seen = new Set<Block>([entry]);
  const stack = [{ block: entry, successors: successorsOf(entry), next: 0 }];
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!;
    const successor = top.successors[top.next++];
    if (successor === undefined) {
      postorder.push(top.block);
      stack.pop();
    } else if (!seen.has(successor)) {
      seen.add(successor);
      stack.push({ block: successor, successors: successorsOf(successor), next: 0 });
    }
  }
  return postorder.reverse();
}
