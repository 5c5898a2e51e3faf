/**
 * Searchers choose the state that runs next.
 *
 * A searcher holds the live states; the explorer runs the chosen one for a time slice and updates
 * the searcher. All randomness comes from one seeded generator, and no searcher uses the clock, so
 * the same program and options give the same order on every machine.
 */
import { Random } from '../../support/random.js';
import type { State } from '../state/state.js';
import type { SearcherName } from './searcher-names.js';

/** The saved state of a searcher, in which states are numbers. */
export type Saved = readonly (number | Saved)[];

export interface Searcher {
  /** Adds new states; `from` is the state from which they were forked, if any. */
  add(states: readonly State[], from: State | undefined): void;
  /** The state to run next, which stays in the searcher. Requires that there is one. */
  next(): State;
  remove(state: State): void;
  readonly size: number;
  /** All live states, in any order. */
  states(): Iterable<State>;
  save(numberOf: (state: State) => number): Saved;
  /** Restores a saved searcher of this name with these states. Requires that it is empty. */
  restore(saved: Saved, states: readonly State[]): void;
}

/** A searcher that another one uses to choose where to continue. */
interface Chooser extends Searcher {
  /** Gives the place of an ended state to one that was forked from it. */
  replace(ended: State, by: State): void;
}

/** The number of states that are compared by their distance. */
const MOST_DRAWS = 8;
/** Drawing accesses states all over the memory, so after an unsuccessful draw it pauses. */
const PAUSE = 16;
/** The number of instructions before another state is chosen. */
const BATCH = 40_000;

/** The distance of a state from uncovered code. */
export type Distance = (state: State) => number;

/** The data about the exploration that searchers use. */
export interface SearchContext {
  readonly seed: number;
  readonly distance: Distance;
  /** The instructions executed on all paths. */
  readonly instructions: () => number;
  /** Instructions per batch of the default search. */
  readonly batch?: number | undefined;
}

export function createSearcher(
  name: SearcherName,
  { seed, distance, instructions, batch = BATCH }: SearchContext,
): Searcher {
  const random = new Random(seed);
  switch (name) {
    case 'dfs':
      return new DepthFirst();
    case 'bfs':
      return new BreadthFirst();
    case 'random-state':
      return new RandomState(random);
    case 'random-path':
      return new RandomPath(random);
    case 'coverage':
      return new CoverageGuided(random, distance);
    case 'default':
      return new InBatches(
        new Interleaved([new RandomPath(random), new CoverageGuided(random, distance)]),
        instructions,
        batch,
      );
  }
}

/** Runs the newest state until it ends. */
class DepthFirst implements Searcher {
  readonly #stack: State[] = [];

  get size(): number {
    return this.#stack.length;
  }

  /** Forked states are placed below their origin. */
  add(states: readonly State[], from: State | undefined): void {
    const at = from === undefined ? this.#stack.length : this.#stack.lastIndexOf(from);
    this.#stack.splice(at, 0, ...states);
  }

  next(): State {
    return this.#stack.at(-1)!;
  }

  remove(state: State): void {
    const at = this.#stack.lastIndexOf(state);
    this.#stack.splice(at, 1);
  }

  states(): Iterable<State> {
    return this.#stack;
  }

  save(numberOf: (state: State) => number): Saved {
    return this.#stack.map(numberOf);
  }

  restore(saved: Saved, states: readonly State[]): void {
    for (const state of pick(states, saved)) this.#stack.push(state);
  }
}

/** Runs the oldest state for one time slice, so that all states advance at the same pace. */
class BreadthFirst implements Searcher {
  #queue: (State | undefined)[] = [];
  #head = 0;
  readonly #live = new Set<State>();

  get size(): number {
    return this.#live.size;
  }

  add(states: readonly State[]): void {
    for (const state of states) {
      this.#live.add(state);
      this.#queue.push(state);
    }
  }

  next(): State {
    for (;;) {
      const state = this.#queue[this.#head]!;
      this.#queue[this.#head++] = undefined;
      if (this.#head > 1024 && this.#head * 2 > this.#queue.length) {
        this.#queue = this.#queue.slice(this.#head);
        this.#head = 0;
      }
      if (!this.#live.has(state)) continue;
      this.#queue.push(state);
      return state;
    }
  }

  remove(state: State): void {
    this.#live.delete(state);
  }

  states(): Iterable<State> {
    return this.#live;
  }

  save(numberOf: (state: State) => number): Saved {
    return this.#queue
      .slice(this.#head)
      .filter(state => state !== undefined)
      .filter(state => this.#live.has(state))
      .map(numberOf);
  }

  restore(saved: Saved, states: readonly State[]): void {
    this.add(pick(states, saved));
  }
}

/** Chooses uniformly among all states. */
class RandomState implements Chooser {
  readonly #random: Random;
  readonly #states: State[] = [];
  readonly #indexOf = new Map<State, number>();

  constructor(random: Random) {
    this.#random = random;
  }

  get size(): number {
    return this.#states.length;
  }

  add(states: readonly State[]): void {
    for (const state of states) {
      this.#indexOf.set(state, this.#states.length);
      this.#states.push(state);
    }
  }

  next(): State {
    return this.#states[this.#random.below(this.#states.length)]!;
  }

  has(state: State): boolean {
    return this.#indexOf.has(state);
  }

  remove(state: State): void {
    const at = this.#indexOf.get(state)!;
    this.#indexOf.delete(state);
    const last = this.#states.pop()!;
    if (last === state) return;
    this.#states[at] = last;
    this.#indexOf.set(last, at);
  }

  replace(ended: State, by: State): void {
    const at = this.#indexOf.get(ended)!;
    this.#indexOf.delete(ended);
    this.#indexOf.set(by, at);
    this.#states[at] = by;
  }

  states(): Iterable<State> {
    return this.#states;
  }

  save(numberOf: (state: State) => number): Saved {
    return [this.#random.place, this.#states.map(numberOf)];
  }

  restore([place, order]: Saved, states: readonly State[]): void {
    this.#random.goOn(numbers(place));
    this.add(pick(states, numbers(order)));
  }
}

/** Marks an inner node in a saved tree. */
const INNER = -1;

interface TreeNode {
  parent: TreeNode | undefined;
  /** A leaf has a state, an inner node two children. */
  state: State | undefined;
  left: TreeNode | undefined;
  right: TreeNode | undefined;
}

/**
 * A random walk down the tree of forks that takes each branch with the same probability. It favours
 * states high up in the tree, which have forked little, over the many states of a symbolic loop.
 * Nodes with one child are removed as states end.
 */
class RandomPath implements Chooser {
  readonly #random: Random;
  readonly #leaves = new Map<State, TreeNode>();
  #root: TreeNode | undefined;

  constructor(random: Random) {
    this.#random = random;
  }

  get size(): number {
    return this.#leaves.size;
  }

  add(states: readonly State[], from: State | undefined): void {
    for (const state of states) {
      const leaf: TreeNode = { parent: undefined, state, left: undefined, right: undefined };
      const old = from === undefined ? this.#root : this.#leaves.get(from);
      this.#leaves.set(state, leaf);
      if (old === undefined) this.#root = leaf;
      else this.#branch(old, leaf);
    }
  }

  /** Replaces `old` by a new inner node over it and the leaf. */
  #branch(old: TreeNode, leaf: TreeNode): void {
    const inner: TreeNode = { parent: old.parent, state: undefined, left: old, right: leaf };
    this.#replace(old, inner);
    old.parent = inner;
    leaf.parent = inner;
  }

  #replace(old: TreeNode, by: TreeNode): void {
    const { parent } = old;
    by.parent = parent;
    if (parent === undefined) this.#root = by;
    else if (parent.left === old) parent.left = by;
    else parent.right = by;
  }

  next(): State {
    let node = this.#root!;
    let bits = 0;
    let left = 0;
    while (node.state === undefined) {
      if (left === 0) {
        bits = this.#random.uint32();
        left = 32;
      }
      node = (bits & 1) === 0 ? node.left! : node.right!;
      bits >>>= 1;
      left--;
    }
    return node.state;
  }

  remove(state: State): void {
    const leaf = this.#leaves.get(state)!;
    this.#leaves.delete(state);
    const { parent } = leaf;
    if (parent === undefined) {
      this.#root = undefined;
      return;
    }
    this.#replace(parent, parent.left === leaf ? parent.right! : parent.left!);
    // A dead node in the old generation would keep its targets alive until the next major
    // collection.
    parent.left = parent.right = undefined;
    leaf.state = undefined;
  }

  replace(ended: State, by: State): void {
    const leaf = this.#leaves.get(ended)!;
    this.#leaves.delete(ended);
    this.#leaves.set(by, leaf);
    leaf.state = by;
  }

  states(): Iterable<State> {
    return this.#leaves.keys();
  }

  /** The tree in preorder, left before right: a leaf is its state, an inner node INNER. */
  save(numberOf: (state: State) => number): Saved {
    const tree: number[] = [];
    const waiting = [this.#root];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      tree.push(node.state === undefined ? INNER : numberOf(node.state));
      if (node.state === undefined) waiting.push(node.right, node.left);
    }
    return [this.#random.place, tree];
  }

  restore([place, tree]: Saved, states: readonly State[]): void {
    this.#random.goOn(numbers(place));
    /** Inner nodes that lack a child. */
    const open: TreeNode[] = [];
    for (const item of numbers(tree)) {
      const state = item === INNER ? undefined : states[item]!;
      const parent = open.at(-1);
      const node: TreeNode = { parent, state, left: undefined, right: undefined };
      if (parent === undefined) this.#root = node;
      else if (parent.left === undefined) parent.left = node;
      else {
        parent.right = node;
        open.pop();
      }
      if (state === undefined) open.push(node);
      else this.#leaves.set(state, node);
    }
  }
}

/**
 * First chooses states that have just covered something new, newest first; then, of a few random
 * states, the one that is nearest to uncovered code. The cost of drawing does not depend on the
 * number of states.
 */
class CoverageGuided implements Chooser {
  /** May contain states that have ended, or have run since. */
  readonly #fresh: { readonly state: State; readonly instructions: number }[] = [];
  readonly #all: RandomState;
  readonly #distance: Distance;
  /** How many draws are skipped, because no drawn state could reach uncovered code. */
  #pause = 0;

  constructor(random: Random, distance: Distance) {
    this.#all = new RandomState(random);
    this.#distance = distance;
  }

  get size(): number {
    return this.#all.size;
  }

  add(states: readonly State[], from: State | undefined): void {
    this.#all.add(states);
    // Forked states come before the state that has just run.
    if (from !== undefined) this.#noteFresh(from);
    for (const state of states) this.#noteFresh(state);
  }

  #noteFresh(state: State): void {
    if (!state.coveredNew) return;
    this.#fresh.push({ state, instructions: state.instructions });
    this.#pause = 0;
  }

  next(): State {
    for (let fresh = this.#fresh.pop(); fresh !== undefined; fresh = this.#fresh.pop()) {
      const { state, instructions } = fresh;
      if (this.#all.has(state) && state.instructions === instructions) return state;
    }
    let nearest = this.#all.next();
    if (this.#pause > 0) {
      this.#pause--;
      return nearest;
    }
    let least = this.#distance(nearest);
    const draws = Math.min(MOST_DRAWS, this.size);
    for (let i = 1; i < draws && least > 0; i++) {
      const drawn = this.#all.next();
      const distance = this.#distance(drawn);
      if (distance < least) [nearest, least] = [drawn, distance];
    }
    if (least === Number.POSITIVE_INFINITY) this.#pause = PAUSE;
    return nearest;
  }

  remove(state: State): void {
    this.#all.remove(state);
  }

  replace(ended: State, by: State): void {
    this.#all.replace(ended, by);
  }

  states(): Iterable<State> {
    return this.#all.states();
  }

  save(numberOf: (state: State) => number): Saved {
    const fresh = this.#fresh.filter(
      ({ state, instructions }) => this.#all.has(state) && state.instructions === instructions,
    );
    return [this.#all.save(numberOf), fresh.map(({ state }) => numberOf(state)), this.#pause];
  }

  restore([all, fresh, pause]: Saved, states: readonly State[]): void {
    this.#all.restore(all as Saved, states);
    for (const state of pick(states, numbers(fresh)))
      this.#fresh.push({ state, instructions: state.instructions });
    this.#pause = pause as number;
  }
}

/** Several searchers in turn, over the same states. */
class Interleaved implements Chooser {
  readonly #searchers: readonly Chooser[];
  #turn = 0;

  constructor(searchers: readonly Chooser[]) {
    this.#searchers = searchers;
  }

  get size(): number {
    return this.#searchers[0]!.size;
  }

  add(states: readonly State[], from: State | undefined): void {
    for (const searcher of this.#searchers) searcher.add(states, from);
  }

  next(): State {
    const searcher = this.#searchers[this.#turn]!;
    this.#turn = (this.#turn + 1) % this.#searchers.length;
    return searcher.next();
  }

  remove(state: State): void {
    for (const searcher of this.#searchers) searcher.remove(state);
  }

  replace(ended: State, by: State): void {
    for (const searcher of this.#searchers) searcher.replace(ended, by);
  }

  states(): Iterable<State> {
    return this.#searchers[0]!.states();
  }

  save(numberOf: (state: State) => number): Saved {
    return [this.#turn, ...this.#searchers.map(searcher => searcher.save(numberOf))];
  }

  restore([turn, ...saved]: Saved, states: readonly State[]): void {
    this.#turn = turn as number;
    for (const [i, searcher] of this.#searchers.entries()) searcher.restore(saved[i] as Saved, states);
  }
}

/**
 * Runs a batch of instructions depth first from a state that another searcher chooses.
 *
 *     chosen ──▶ ●─●─●─┤ ended         what was forked off in the batch is run newest first; what is
 *                │ └───●─┤             left of it when the batch is over waits to be chosen
 *                └──▷
 *
 * Switching after each fork would keep every state alive for a long time: memory would grow, and
 * neither caches nor the garbage collector's young generation would hold what is needed next. A
 * path of a symbolic parser takes a hundred instructions, so a batch finishes four hundred of them;
 * where paths are long, a batch ends before the path does.
 *
 * Most states begin and end in one batch and are never added to the chooser: it has one state for
 * the whole batch, and receives the remaining ones when the batch is over.
 */
class InBatches implements Searcher {
  readonly #chooser: Chooser;
  readonly #instructions: () => number;
  readonly #batch: number;
  /** The live states of this batch, the newest last. */
  #stack: State[] = [];
  /**
   * The state of the batch that is in the chooser, live or not; undefined if the stack is empty.
   */
  #inChooser: State | undefined;
  #end = 0;

  constructor(chooser: Chooser, instructions: () => number, batch: number) {
    this.#chooser = chooser;
    this.#instructions = instructions;
    this.#batch = batch;
  }

  get size(): number {
    return this.#chooser.size + Math.max(0, this.#stack.length - 1);
  }

  add(states: readonly State[], from: State | undefined): void {
    if (from === undefined || from !== this.#stack.at(-1)) {
      this.#chooser.add(states, from);
      return;
    }
    this.#stack.pop();
    this.#stack.push(...states, from);
  }

  next(): State {
    const newest = this.#stack.at(-1);
    const now = this.#instructions();
    if (newest !== undefined && now < this.#end) return newest;
    this.#endBatch();
    const chosen = this.#chooser.next();
    this.#stack = [chosen];
    this.#inChooser = chosen;
    this.#end = now + this.#batch;
    return chosen;
  }

  /**
   * All other states of the stack were forked before the newest one, along its path: the first has
   * the place nearest to the root of the tree.
   */
  #endBatch(): void {
    const newest = this.#putNewest();
    if (newest !== undefined) this.#chooser.add(this.#stack.slice(0, -1), newest);
  }

  /** Puts the newest state of the batch into the chooser, instead of one that has ended. */
  #putNewest(): State | undefined {
    const newest = this.#stack.at(-1);
    if (newest === undefined || newest === this.#inChooser) return newest;
    this.#chooser.replace(this.#inChooser!, newest);
    this.#inChooser = newest;
    return newest;
  }

  remove(state: State): void {
    const at = this.#stack.lastIndexOf(state);
    if (at >= 0) this.#stack.splice(at, 1);
    if (at < 0) this.#chooser.remove(state);
    else if (this.#stack.length === 0) this.#chooser.remove(this.#inChooser!);
  }

  states(): Iterable<State> {
    this.#putNewest();
    return [...this.#stack.slice(0, -1), ...this.#chooser.states()];
  }

  save(numberOf: (state: State) => number): Saved {
    this.#putNewest();
    return [this.#chooser.save(numberOf), this.#stack.map(numberOf), this.#end];
  }

  restore([chooser, stack, end]: Saved, states: readonly State[]): void {
    this.#chooser.restore(chooser as Saved, states);
    this.#stack = pick(states, numbers(stack));
    this.#inChooser = this.#stack.at(-1);
    this.#end = end as number;
  }
}

function numbers(saved: Saved[number] | undefined): readonly number[] {
  return saved as readonly number[];
}

function pick(states: readonly State[], wanted: Saved): State[] {
  return numbers(wanted).map(number => states[number]!);
}
