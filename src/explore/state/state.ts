/**
 * The state of one path: the position in the program, its memory, and the conditions on its inputs.
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
import { type FunctionSet, NO_BLOCKS, NO_FUNCTIONS, type ReachedNews } from './reached.js';

/** An input of the program, in the order in which the program requested it. */
export interface SymbolicInput {
  readonly name: string;
  /** The kind of the input; the program requests a `named` one by name. */
  readonly kind: 'stdin' | 'file' | 'argument' | 'named';
  readonly array: SymbolicArray;
  readonly meaning: Meaning;
}

/** The symbolic parts of the program's environment. */
export interface SymbolicStart {
  /** The host provides the inputs that the program requests by name. */
  readonly isConcrete?: boolean;
  /** Between `min` and `max` arguments of at most `bytes` bytes, after the given ones. */
  readonly arguments?: { readonly min: number; readonly max: number; readonly bytes: number } | undefined;
  readonly stdinBytes?: number | undefined;
  /** Files named A, B, ... in the current folder. */
  readonly files?: { readonly count: number; readonly bytes: number } | undefined;
}

/** The target of a `longjmp`. */
export interface JumpTarget {
  readonly serial: number;
  readonly frame: Frame;
}

/** The instructions executed between two visits of the same state. */
export interface Round {
  readonly instructions: number;
  /** For each block, the steps at which it was begun or continued. */
  readonly blocks: ReadonlyMap<DecodedBlock, ReadonlySet<number>>;
  /** The start of the outermost of its loops. */
  readonly head: Trace | undefined;
}

/** Detects a repeated state of a path (`loop-watch.ts`). */
export interface PathWatch {
  /** The instruction count of the path at which it is examined next. */
  readonly next: number;
  /** Whether it is examined at every block. */
  readonly isOpen: boolean;
  look(state: State, now: number): Round | undefined;
  copy(): PathWatch;
}

export type Thread = PathThread<Frame, DecodedFunction>;
export type Threads = PathThreads<Frame, DecodedFunction>;

/** A state with which later ones are compared, and when it is replaced. */
export interface Spin {
  /** The number of choices after which it was taken. */
  readonly at: number;
  readonly earlier: State | undefined;
  readonly visits: number;
  readonly mostVisits: number;
}

export const NO_SPIN: Spin = { at: 0, earlier: undefined, visits: 0, mostVisits: 1 };

/** Conditions of a path, the last one first; paths share them up to their fork. */
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
  /** The solver's answers on this path, and the sides it took. */
  history: History;
  inputs: readonly SymbolicInput[] = [];
  /**
   * Conditions that should hold on the path's test if possible, in order of priority
   * (`klee_prefer_cex`).
   */
  preferences: readonly Term[] = [];
  jumps: ReadonlyMap<number, JumpTarget> = new Map();
  /** The number of forks of this path. */
  depth = 0;
  /** What was concretized, so that this path does not cover all its inputs. */
  notes: readonly string[] = [];
  /** The lines of concretizations, each once. */
  choices: readonly SourceLocation[] = [];
  /** Whether conditions of this path contain floating-point circuits. */
  hasFloatCircuits = false;
  instructions = 0;
  /** The number of pointers without a base that were resolved by queries on this path. */
  resolutions = 0;
  /** Whether this path has covered a new block since it was last chosen. */
  coveredNew = false;
  allocations = 0;
  constructorsRun = 0;
  /** The size of the locals of all activations. */
  stackBytes = 0;
  /** The size of all heap blocks. */
  heapBytes = 0;
  /** The last request for memory, if it failed. */
  withoutMemory: RequestFacts | undefined;
  /** `klee_set_forking(0)`: only one side of each branch is followed. */
  isForkingOff = false;
  /**
   * The address of the substitute range for invalid accesses (`access/unchecked.ts`); 0 for none.
   */
  standIn = 0;
  /** The history at its last fork. */
  from: History;
  /** The functions that this path has called, if recorded. */
  reached: FunctionSet = NO_FUNCTIONS;
  /** Blocks that this path was the first to execute, before a test covered them. */
  news: ReachedNews | undefined;
  /** The blocks of the program that this path has executed, if recorded (`RecordedBlocks`). */
  ran: Uint32Array = NO_BLOCKS;
  /** Detects a repeated state of this path; undefined until the path is long enough. */
  watch: PathWatch | undefined;
  /** The data of plug-ins on this path; undefined without plug-ins. */
  plugins: PluginState | undefined;
  /** Undefined until something gets a label. */
  labels: PathLabels | undefined;
  /** Undefined until the program uses threads, and unless schedules are explored. */
  threads: Threads | undefined;
  /**
   * With one stack: the threads that were created and have not ended. They are below or above the
   * running one, or begin when it has released its locks.
   */
  calledThreads = 0;
  /** Detects a spinning thread, since it was switched to (Brent's algorithm). */
  spin: Spin = NO_SPIN;
  #constraints: ConstraintSet;
  #told: Told | undefined;
  /** The last condition that the constraint set contains; it is updated on demand. */
  #learned: Told | undefined;
  #host: ForkableHost;
  #hostOwner: Owner | undefined;

  constructor(
    /** Changed only when a state of an earlier run is restored. */
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

  /** Adds a condition to the path. */
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

  /** The constraints of the path, for the solver. */
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

  /** Whether both hosts will always behave in the same way. */
  hasHostLike(other: State): boolean {
    return this.#host.isLike(other.#host);
  }

  /** The host for reading only, which stays shared. */
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
    copy.ran = this.ran.length === 0 ? this.ran : this.ran.slice();
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
    copy.calledThreads = this.calledThreads;
    copy.spin = this.spin;
    this.owner = {};
    this.frame.owner = this.owner;
    return copy;
  }

  /** Pops the topmost frame. Requires that there is a caller. */
  pop(caller: Frame): void {
    this.frame = caller.owner === this.owner ? caller : caller.copy(this.owner);
  }
}
