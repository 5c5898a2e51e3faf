/**
 * One path that is being explored: where the program is, what its memory holds, what is known about
 * its inputs.
 *
 * A fork costs a handful of small objects: memory, allocator and constraints share everything with
 * the original, frames are shared below the topmost, the host is shared until it is next used.
 *
 * **Invariants.** `owner` is the token of the frames that this state may change. The topmost frame
 * always carries it.
 */

import type { SymbolicArray, Term } from '../../expr/term.js';
import { joined, NO_PRINT, type Print, printOf } from '../../expr/term-print.js';
import type { RequestFacts } from '../../findings/facts.js';
import type { SourceLocation } from '../../findings/finding.js';
import type { ForkableHost } from '../../host/host.js';
import type { ConstraintSet } from '../../solver/constraint-set.js';
import type { Owner } from '../../support/owner.js';
import type { Memory } from '../memory/address-space.js';
import type { Trace } from '../memory/call-trace.js';
import type { Meaning } from '../memory/origin.js';
import type { ByteDomains } from '../values/byte-domains.js';
import type { DecodedBlock, DecodedFunction } from './decoded.js';
import type { Frame } from './frame.js';
import type { History } from './history.js';
import type { PathLabels } from './path-labels.js';
import type { PathThread, PathThreads } from './path-threads.js';
import type { PluginState } from './plugin-state.js';
import { type FunctionSet, type News, NO_FUNCTIONS } from './reached.js';

/** An input of the program, in the order in which the program requested it. */
export interface SymbolicInput {
  readonly name: string;
  /** Where it comes from; `named` is what the program asks for by name. */
  readonly kind: 'stdin' | 'file' | 'argument' | 'named';
  readonly array: SymbolicArray;
  readonly meaning: Meaning;
}

/** What of the program's environment is symbolic. */
export interface SymbolicStart {
  /** Inputs that the program asks for by name are what the host says. */
  readonly isConcrete?: boolean;
  /** Between `min` and `max` arguments of at most `bytes` bytes, behind those that are given. */
  readonly arguments?: { readonly min: number; readonly max: number; readonly bytes: number } | undefined;
  readonly stdinBytes?: number | undefined;
  /** Files named A, B, ... in the current folder. */
  readonly files?: { readonly count: number; readonly bytes: number } | undefined;
}

/** Where `longjmp` goes. */
export interface JumpTarget {
  readonly serial: number;
  readonly frame: Frame;
}

/** What was run between two visits to the same state. */
export interface Round {
  readonly instructions: number;
  /** For each block, the steps at which it was begun or continued. */
  readonly blocks: ReadonlyMap<DecodedBlock, ReadonlySet<number>>;
  /** Where the outermost of its loops begins. */
  readonly head: Trace | undefined;
}

/** Looks for a state of a path that comes back (`loop-watch.ts`). */
export interface PathWatch {
  /** The count of the path's instructions after which it is looked at next. */
  readonly next: number;
  /** Is it looked at wherever a block is begun? */
  readonly isOpen: boolean;
  look(state: State, now: number): Round | undefined;
  copy(): PathWatch;
}

export type Thread = PathThread<Frame, DecodedFunction>;
export type Threads = PathThreads<Frame, DecodedFunction>;

/** A state that later ones are compared with, and when another takes its place. */
export interface Spin {
  /** After so many choices. */
  readonly at: number;
  readonly earlier: State | undefined;
  readonly visits: number;
  readonly mostVisits: number;
}

export const NO_SPIN: Spin = { at: 0, earlier: undefined, visits: 0, mostVisits: 1 };

/** Conditions of a path, the last one first; paths share them up to where they forked. */
class Told {
  readonly condition: Term;
  readonly earlier: Told | undefined;
  /** The hash of this condition and all before it. */
  print: Print | undefined;

  constructor(condition: Term, earlier: Told | undefined) {
    this.condition = condition;
    this.earlier = earlier;
  }
}

export class State {
  owner: Owner = {};
  frame: Frame;
  /** The answers of the solver on this path, and the sides it took. */
  history: History;
  inputs: readonly SymbolicInput[] = [];
  /**
   * What should hold on the path's test where it can, the first before the others
   * (`klee_prefer_cex`).
   */
  preferences: readonly Term[] = [];
  jumps: ReadonlyMap<number, JumpTarget> = new Map();
  /** How often this path has forked. */
  depth = 0;
  /** What was given one of several values, so that this path does not stand for all its inputs. */
  notes: readonly string[] = [];
  /** The lines where that was, each once. */
  choices: readonly SourceLocation[] = [];
  /** Do conditions of this path hold circuits of floats? */
  hasFloatCircuits = false;
  instructions = 0;
  /** Pointers without a base that were resolved by asking, on this path. */
  resolutions = 0;
  /** Has this path, since it was last chosen, run a block that no path had run before? */
  coveredNew = false;
  allocations = 0;
  constructorsRun = 0;
  /** What the locals of all activations take. */
  stackBytes = 0;
  /** What the blocks of the heap take. */
  heapBytes = 0;
  /** The last request for memory, if there was none for it. */
  withoutMemory: RequestFacts | undefined;
  /** `klee_set_forking(0)`: of two ways of a branch one is taken. */
  isForkingOff = false;
  /**
   * The address of the range that stands in for what must not be touched (`access/unchecked.ts`); 0
   * for none.
   */
  standIn = 0;
  /** What it had been told when it last forked. */
  from: History;
  /** The functions that this path has called, where that is recorded. */
  reached: FunctionSet = NO_FUNCTIONS;
  /** Blocks that this path was the first to run, and that no test was written for when it did. */
  news: News | undefined;
  /** Looks for a state of this path that comes back; undefined until the path is long enough. */
  watch: PathWatch | undefined;
  /** What plug-ins remember of this path; undefined without plug-ins. */
  plugins: PluginState | undefined;
  /** Undefined until something gets a label. */
  labels: PathLabels | undefined;
  /** Undefined until the program uses threads, and unless schedules are explored. */
  threads: Threads | undefined;
  /** Looks for a thread that waits in a loop, since it was switched to (Brent's algorithm). */
  spin: Spin = NO_SPIN;
  #constraints: ConstraintSet;
  #told: Told | undefined;
  /** The last condition that the constraint set knows; it learns the others when asked for. */
  #learned: Told | undefined;
  #host: ForkableHost;
  #hostOwner: Owner | undefined;

  constructor(
    /** Changed only when a state of an earlier run is brought back. */
    public id: number,
    readonly memory: Memory,
    frame: Frame,
    constraints: ConstraintSet,
    readonly domains: ByteDomains,
    host: ForkableHost,
    history: History,
  ) {
    this.frame = frame;
    this.history = history;
    this.from = history;
    this.#constraints = constraints;
    this.#host = host;
  }

  /** The path goes on only where the condition holds. */
  add(condition: Term): void {
    this.domains.add(condition);
    this.#told = new Told(this.domains.inBrief(condition), this.#told);
  }

  /** A fingerprint of all conditions that hold on this path. */
  get print(): Print {
    const unknown: Told[] = [];
    let link = this.#told;
    for (; link !== undefined && link.print === undefined; link = link.earlier) unknown.push(link);
    let print = link?.print ?? NO_PRINT;
    for (const told of unknown.reverse()) {
      print = joined(print, printOf(told.condition));
      told.print = print;
    }
    return print;
  }

  /** What the path knows, for the solver. */
  get constraints(): ConstraintSet {
    if (this.#told === this.#learned) return this.#constraints;
    const pending: Term[] = [];
    for (let link = this.#told; link !== this.#learned; link = link!.earlier) pending.push(link!.condition);
    this.#learned = this.#told;
    for (const condition of pending.reverse()) this.#constraints = this.#constraints.add(condition);
    return this.#constraints;
  }

  /** The host, for this state alone. */
  get host(): ForkableHost {
    if (this.#hostOwner !== this.owner) {
      this.#host = this.#host.fork();
      this.#hostOwner = this.owner;
    }
    return this.#host;
  }

  /** Will the hosts of both answer alike for ever? */
  hasHostLike(other: State): boolean {
    return this.#host.isLike(other.#host);
  }

  /** The same, to look at only: what is shared stays so. */
  get seenHost(): Pick<ForkableHost, 'stdout' | 'stderr' | 'arguments'> {
    return this.#host;
  }

  fork(id: number): State {
    const copy = new State(
      id,
      this.memory.fork(),
      this.frame,
      this.#constraints,
      this.domains.fork(),
      this.#host,
      this.history,
    );
    copy.#told = this.#told;
    copy.#learned = this.#learned;
    copy.reached = this.reached;
    copy.news = this.news;
    copy.frame = this.frame.copy(copy.owner);
    copy.inputs = this.inputs;
    copy.preferences = this.preferences;
    copy.jumps = this.jumps;
    copy.notes = this.notes;
    copy.choices = this.choices;
    copy.hasFloatCircuits = this.hasFloatCircuits;
    copy.depth = this.depth;
    copy.instructions = this.instructions;
    copy.resolutions = this.resolutions;
    copy.coveredNew = this.coveredNew;
    copy.allocations = this.allocations;
    copy.constructorsRun = this.constructorsRun;
    copy.stackBytes = this.stackBytes;
    copy.heapBytes = this.heapBytes;
    copy.withoutMemory = this.withoutMemory;
    copy.standIn = this.standIn;
    copy.watch = this.watch?.copy();
    copy.isForkingOff = this.isForkingOff;
    copy.plugins = this.plugins?.fork();
    copy.labels = this.labels?.fork();
    copy.threads = this.threads?.fork();
    copy.spin = this.spin;
    this.owner = {};
    this.frame.owner = this.owner;
    return copy;
  }

  /** The caller's frame becomes the topmost one. Requires that there is one. */
  pop(caller: Frame): void {
    this.frame = caller.owner === this.owner ? caller : caller.copy(this.owner);
  }
}
