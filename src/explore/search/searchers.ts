/**
 * Which state runs next.
 *
 * A searcher holds the live states and hands out one at a time; the explorer runs it for a turn and
 * gives back what became of it. All randomness comes from one seeded generator, and no searcher
 * looks at the clock, so the same program and options give the same order on every machine.
 */
import { Random } from '../../support/random.js';
import type { State } from '../state/state.js';
import type { SearcherName } from './searcher-names.js';

/** Where a searcher stands; states are numbers. */
export type Saved = readonly (number | Saved)[];

export interface Searcher {
  /** States that exist from now on; `from` is the one they were forked from, if any. */
  add(states: readonly State[], from: State | undefined): void;
  /** The state to run next; it stays in the searcher. Requires that there is one. */
  next(): State;
  remove(state: State): void;
  readonly size: number;
  /** All live states, in an order of its own. */
  states(): Iterable<State>;
  save(numberOf: (state: State) => number): Saved;
  /**
   * Goes on, with these states, as the searcher of this name that was saved. Requires that it is
   * empty.
   */
  restore(saved: Saved, states: readonly State[]): void;
}

/** A searcher that another one asks where to go on. */
interface Chooser extends Searcher {
  /** A state that has ended gives its place to one that was forked from it. */
  replace(ended: State, by: State): void;
}

/** So many states are compared by their distance. */
const MOST_DRAWS = 8;
/** Drawing costs a look at states all over the memory; where it finds nothing it is done seldom. */
const PAUSE = 16;
/** So many instructions pass before another place to go on is chosen. */
const BATCH = 40_000;

/** How far a state is from code that no path has run. */
export type Distance = (state: State) => number;

/** What searchers know about the exploration. */
export interface SearchContext {
  readonly seed: number;
  readonly distance: Distance;
  /** How many instructions all paths together have run. */
  readonly instructions: () => number;
  /** Instructions that pass before another place to go on is chosen, in the default search. */
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

/** The newest state, until it ends. */
class DepthFirst implements Searcher {
  readonly #stack: State[] = [];

  get size(): number {
    return this.#stack.length;
  }

  /** What was forked off waits below the state it came from. */
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

/** The oldest state, each for one turn: all states grow at the same pace. */
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

/** Any state with the same chance. */
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

/** In a saved tree, a node that is no state. */
const INNER = -1;

interface TreeNode {
  parent: TreeNode | undefined;
  /** A leaf holds a state, an inner node two children. */
  state: State | undefined;
  left: TreeNode | undefined;
  right: TreeNode | undefined;
}

/**
 * A walk down the tree of forks that takes each branch with the same chance: states high up in the
 * tree, which have forked little, are favoured over the swarm that a symbolic loop makes. Nodes
 * with one child are left out as states end.
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

  /** A new inner node in the place of `old`, over it and the leaf. */
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
    // A dead node that the garbage collector has moved to its old generation would keep alive what
    // it points to.
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

  /** The tree from its root on, left before right: a leaf is its state, an inner node INNER. */
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
 * States that have just run something new first, newest first; then, of a few that are drawn at
 * random, the one that is nearest to code that no path has run. Drawing a few costs the same
 * however many states there are.
 */
class CoverageGuided implements Chooser {
  /** May hold states that have ended, or were run since. */
  readonly #fresh: { readonly state: State; readonly instructions: number }[] = [];
  readonly #all: RandomState;
  readonly #distance: Distance;
  /**
   * How often distances will not be computed, because nothing that was drawn had uncovered code in
   * reach.
   */
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
    // What was forked comes before the state that has had its turn.
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

/** Several searchers in turn, all over the same states. */
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
 * Another searcher says where to go on; from there it goes depth first, for a batch of
 * instructions.
 *
 *     chosen ──▶ ●─●─●─┤ ended         what was forked off in the batch is run newest first; what is
 *                │ └───●─┤             left of it when the batch is over waits to be chosen
 *                └──▷
 *
 * Going elsewhere after each fork keeps every state alive for long: memory grows, and neither
 * caches nor the garbage collector's young generation hold what is needed next. A path of a
 * symbolic parser takes a hundred instructions, so a batch finishes four hundred of them, and where
 * paths are long a batch ends before the path does.
 *
 * Most states begin and end in one batch, and the chooser never hears of them: it has one state for
 * the whole batch, and gets the others that are left when the batch is over.
 */
class InBatches implements Searcher {
  readonly #chooser: Chooser;
  readonly #instructions: () => number;
  readonly #batch: number;
  /** The live states of this batch, the newest last. */
  #stack: State[] = [];
  /**
   * The one state of the batch that is in the chooser, alive or not; of no meaning while the stack
   * is empty.
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
   * All others of the stack were forked before the newest one, from what it comes from: the first
   * has the place nearest to the root of the tree.
   */
  #endBatch(): void {
    const newest = this.#putNewest();
    if (newest !== undefined) this.#chooser.add(this.#stack.slice(0, -1), newest);
  }

  /** Puts the newest state of the batch into the chooser, in the place of one that has ended. */
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
