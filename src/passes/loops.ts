/**
 * Natural loops: a back edge goes to a block that dominates its source; the loop of that header is
 * every block from which the back edges' sources can be reached without passing the header.
 *
 * Loops with one header are one loop. A cycle that can be entered at two places has no back edge in
 * this sense and is not a natural loop; C needs `goto` to write one.
 */
import type { DominatorTree } from './dominators.js';

export interface Loop {
  readonly header: number;
  /** The sources of the back edges, ascending. */
  readonly latches: readonly number[];
  /** All blocks of the loop with the header, ascending. */
  readonly blocks: readonly number[];
  /** The innermost loop around this one. */
  readonly parent: Loop | undefined;
  /** 1 for an outermost loop. */
  readonly depth: number;
}

/** Outer loops precede the loops inside them. Blocks are the numbers of `tree.cfg`. */
export function findLoops(tree: DominatorTree): Loop[] {
  const { predecessors, successors } = tree.cfg;
  const latches = new Map<number, Set<number>>();
  successors.forEach((list, block) => {
    for (const header of list) {
      if (!tree.dominates(header, block)) continue;
      const known = latches.get(header);
      if (known === undefined) latches.set(header, new Set([block]));
      else known.add(block);
    }
  });
  const loops: Loop[] = [];
  const headers = [...latches.keys()].sort((a, b) => a - b);
  for (const header of headers) {
    const sources = [...latches.get(header)!].sort((a, b) => a - b);
    const body = new Set([header]);
    const pending = sources.filter(block => block !== header);
    while (pending.length > 0) {
      const block = pending.pop()!;
      if (body.has(block)) continue;
      body.add(block);
      pending.push(...predecessors[block]!);
    }
    const parent = loops.findLast(loop => loop.blocks.includes(header));
    const blocks = [...body].sort((a, b) => a - b);
    loops.push({ header, latches: sources, blocks, parent, depth: (parent?.depth ?? 0) + 1 });
  }
  return loops;
}
