/** A tree that is put together from the trees of tasks equals one that grows node by node. */
import { expect, test } from 'vitest';
import { Random } from '../../support/random.js';
import type { OpenEdge, StartEnd } from '../search/subtree.js';
import { ForkTree } from './fork-tree.js';

/** A tree that grows node by node, and one that gets the trees of tasks. */
class Both {
  readonly single: ForkTree;
  readonly merged: ForkTree;
  readonly #random: Random;
  live: number[] = [0];
  #states = 1;
  #tests = 0;

  constructor(seed: number, mostNodes: number) {
    this.#random = new Random(seed);
    this.single = new ForkTree(undefined, [], mostNodes);
    this.merged = new ForkTree(undefined, [], mostNodes);
  }

  /** What happens below some of the live states, in the middle of which the tree may be packed. */
  task(before: readonly number[]): void {
    const part = ForkTree.ofTask(before.length);
    const parts: Uint8Array[] = [];
    const ends: StartEnd[] = [];
    const first = this.#states;
    const globalOf = (local: number): number => before[local] ?? first + local - before.length;
    const live = before.map((_, i) => i);
    let tests = 0;
    for (let step = this.#random.below(40); step > 0 && live.length > 0; step--) {
      const at = this.#random.below(live.length);
      const local = live[at]!;
      const label = `line ${this.#random.below(5)}`;
      if (this.#random.below(5) < 3) {
        const other = before.length + this.#states++ - first;
        part.fork(local, other, label);
        this.single.fork(globalOf(local), globalOf(other), label);
        live.push(other);
      } else {
        const number = this.#random.below(3) === 0 ? 0 : ++tests;
        part.end(local, number, () => label);
        this.single.end(globalOf(local), number && this.#tests + number, () => label);
        if (local < before.length) ends.push([local, number, label]);
        live.splice(at, 1);
      }
      if (this.#random.below(10) === 0) parts.push(part.takeNew().slice());
    }
    parts.push(part.takeNew().slice());
    const after = live.map(globalOf);
    this.merged.addTask({ parts, edges: part.edgesOf(live), ends }, { before, after }, this.#tests);
    this.#tests += tests;
    this.live = [...this.live.filter(state => !before.includes(state)), ...after];
  }

  check(): void {
    const edges = (tree: ForkTree): OpenEdge[] => tree.edgesOf(this.live);
    expect(this.merged.columns()).toEqual(this.single.columns());
    expect(edges(this.merged)).toEqual(edges(this.single));
    expect(this.merged.save().open.length).toBe(this.single.save().open.length);
  }
}

test.each([10, 50, 200, 100_000])('with at most %i nodes', mostNodes => {
  let cut = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const random = new Random(1000 * seed);
    const both = new Both(seed, mostNodes);
    for (let round = 0; round < 8; round++) {
      const { live } = both;
      const half = random.below(live.length + 1);
      both.task(live.slice(0, half));
      both.task(live.slice(half));
      both.check();
    }
    if (both.merged.columns().isCut) cut++;
  }
  // Otherwise the trees that are cut would not be tested, or only those.
  if (mostNodes < 100_000) expect(cut).toBeGreaterThan(5);
  else expect(cut).toBe(0);
});
