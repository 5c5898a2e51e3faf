/**
 * The dominator tree of a function and its dominance frontiers.
 *
 * Dominance is tested in constant time: each block has the interval of its subtree in a preorder
 * walk, and A dominates B if A's interval contains B's.
 *
 * ```
 *   entry [0,4)          the frontier of a block is where its dominance ends: the blocks that it does
 *    ├ then [1,2)        not dominate (strictly) but that follow one that it does. A value stored in
 *    ├ else [2,3)        `then` meets another one in `join`, so `join` is where mem2reg puts a phi.
 *    └ join [3,4)
 * ```
 */
import { computeDominance } from '../ir/dominance.js';
import type { Block, IrFunction } from '../ir/model.js';
import { buildCfg, type Cfg } from './cfg.js';

export class DominatorTree {
  readonly cfg: Cfg;
  /** By the numbers of `cfg`; the entry is its own. */
  readonly immediate: Int32Array;
  readonly children: readonly (readonly number[])[];
  readonly #first: Int32Array;
  readonly #end: Int32Array;

  constructor(target: IrFunction) {
    this.cfg = buildCfg(target);
    this.immediate = computeDominance(target).immediate;
    const count = this.cfg.blocks.length;
    const children: number[][] = this.cfg.blocks.map(() => []);
    for (let block = 1; block < count; block++) children[this.immediate[block]!]!.push(block);
    this.children = children;
    this.#first = new Int32Array(count);
    this.#end = new Int32Array(count);
    this.#number();
  }

  /**
   * A dominator's number is smaller than its block's, so sizes of subtrees add up from the back.
   */
  #number(): void {
    const count = this.cfg.blocks.length;
    const sizes = new Int32Array(count).fill(1);
    for (let block = count - 1; block > 0; block--) sizes[this.immediate[block]!]! += sizes[block]!;
    for (let block = 0; block < count; block++) {
      let next = this.#first[block]! + 1;
      this.#end[block] = this.#first[block]! + sizes[block]!;
      for (const child of this.children[block]!) {
        this.#first[child] = next;
        next += sizes[child]!;
      }
    }
  }

  /** By number; every block dominates itself. */
  dominates(a: number, b: number): boolean {
    return this.#first[a]! <= this.#first[b]! && this.#first[b]! < this.#end[a]!;
  }

  /** False if one of them is unreachable. */
  blockDominates(a: Block, b: Block): boolean {
    const [from, to] = [this.cfg.numberOf.get(a), this.cfg.numberOf.get(b)];
    return from !== undefined && to !== undefined && this.dominates(from, to);
  }

  /**
   * For each block, the blocks where its dominance ends, without repetition. No edge goes to the
   * entry.
   */
  frontiers(): number[][] {
    const frontiers: Set<number>[] = this.cfg.blocks.map(() => new Set());
    this.cfg.predecessors.forEach((predecessors, block) => {
      for (const predecessor of predecessors) {
        let runner = predecessor;
        while (runner !== this.immediate[block]) {
          frontiers[runner]!.add(block);
          runner = this.immediate[runner]!;
        }
      }
    });
    return frontiers.map(frontier => [...frontier]);
  }
}
