/**
 * The threads of a path: their stacks, their next operations, the order of their accesses, and the
 * schedule so far.
 *
 * A path runs one thread at a time. The C library knows which threads may run
 * (`runtime/libc/pthread`); the explorer forks over them. There is a choice before every visible
 * operation, so between two choices a thread does one such operation and then only thread-local or
 * ordered accesses, or a race, which is a finding.
 *
 * **Sleep sets** (Godefroid, 1996) skip equivalent orders. Two operations commute unless they have
 * an object in common and one of them changes it. Where thread a was tried first and thread b is
 * tried next, a *sleeps* on the path of b until an operation is done that does not commute with its
 * own: before that, running it would only repeat the path of a.
 *
 *     choice {a, b} ─┬─ a …                    all that begins with a
 *                    └─ b, a sleeps …          a runs again after an operation that its own
 *                                              depends on; a path with all threads asleep ends
 *
 * **Persistent sets of one.** An operation that commutes with everything that other threads can
 * ever do is executed at once: the start of a thread, continuing after a wait, the join of a thread
 * that has ended, and releasing a lock in a program that never tries locks.
 *
 * **Invariants.** Threads are records that are replaced, never changed, so a fork shares them. A
 * thread that does not run has its frame here; the running one has it in the state.
 */
import type { Finding } from '../../findings/finding.js';
import type { Trace } from '../memory/call-trace.js';
import { PathRaces } from './path-races.js';

/** `enum __rz_operation` of `runtime/libc/internal/thread-engine.h`. */
export const operations = [
  'nothing',
  'reads',
  'writes',
  'locks',
  'read-locks',
  'unlocks',
  'joins',
  'times-out',
  'exits',
] as const;

export interface Operation {
  readonly what: (typeof operations)[number];
  /** Addresses; 0 for none. */
  readonly object: number;
  readonly second: number;
}

export const NOTHING: Operation = { what: 'nothing', object: 0, second: 0 };

/** Whether two operations must be tried in both orders. */
function areDependent(a: Operation, b: Operation): boolean {
  if (a.what === 'exits' || b.what === 'exits') return true;
  if (a.what === 'nothing' || b.what === 'nothing' || a.what === 'joins' || b.what === 'joins') return false;
  if (a.what === b.what && (a.what === 'reads' || a.what === 'read-locks')) return false;
  const isIn = (object: number): boolean => object !== 0 && (object === b.object || object === b.second);
  return isIn(a.object) || isIn(a.second);
}

interface Wait {
  readonly what: number;
  readonly object: number;
  readonly holder: number | undefined;
}

/** A bit of a lock's mode: `__RZ_ALONE`. */
const HELD_ALONE = 1;

export interface HeldLock {
  readonly address: number;
  /** As `__rz_thread_holds` has it. */
  readonly mode: number;
  readonly at: Trace;
}

/** `Stack` is the type of a suspended stack, and `Code` that of a start routine. */
export interface PathThread<Stack, Code> {
  readonly handle: number;
  readonly id: number;
  readonly created: Trace | undefined;
  /** Its suspended stack; undefined while it runs, and before it has begun. */
  readonly frame: Stack | undefined;
  /** Its start routine, until it has begun. */
  readonly begin: Code | undefined;
  readonly about: Operation;
  /** What it waits for, as in `enum __rz_waiting`; 0 for nothing. */
  readonly waits: Wait;
  readonly locks: readonly HeldLock[];
  readonly isEnded: boolean;
  readonly isForgotten: boolean;
  /** Whether the choice before its current atomic operation has been made. */
  readonly isPastPoint: boolean;
  /** Its copies of thread-local variables, by the address of main's. */
  readonly copies: ReadonlyMap<number, number>;
}

const NO_WAIT: Wait = { what: 0, object: 0, holder: undefined };

/** The choices of a path, the last one first. */
interface Chosen {
  readonly handle: number;
  readonly earlier: Chosen | undefined;
}

/** The same limit as for `check`. */
const MOST_THREADS = 256;

export class PathThreads<Stack, Code> {
  #threads: readonly PathThread<Stack, Code>[];
  #current = 0;
  #asleep: ReadonlyMap<number, Operation> = new Map();
  #chosen: Chosen | undefined;
  #choices = 0;
  /** The number of choices so far. */
  get choices(): number {
    return this.#choices;
  }
  /** The number of alternatives of the current choice that other states take. */
  refused = 0;
  /** Threads that still exist when the program ends. */
  readonly left: Finding[] = [];
  readonly races: PathRaces;

  constructor(from?: PathThreads<Stack, Code>) {
    this.#threads =
      from !== undefined
        ? from.#threads
        : [
            {
              ...{ handle: 0, id: 1, created: undefined, frame: undefined, begin: undefined, about: NOTHING },
              ...{ waits: NO_WAIT, locks: [], isEnded: false, isForgotten: false, isPastPoint: false },
              copies: new Map(),
            },
          ];
    if (from !== undefined) {
      this.#current = from.#current;
      this.#asleep = from.#asleep;
      this.#chosen = from.#chosen;
      this.#choices = from.#choices;
      this.refused = from.refused;
      this.left.push(...from.left);
    }
    this.races = from === undefined ? new PathRaces() : from.races.fork();
  }

  fork(): PathThreads<Stack, Code> {
    return new PathThreads(this);
  }

  get current(): PathThread<Stack, Code> {
    return this.#threads[this.#current]!;
  }

  /** The threads that have not ended. */
  get alive(): PathThread<Stack, Code>[] {
    return this.#threads.filter(({ isEnded, id }) => !isEnded && id !== 0);
  }

  /**
   * Whether an access of the running thread may race: there is a thread besides main that has not
   * ended, or whose end is not ordered before this point. Nothing waits for a detached thread.
   */
  get isMany(): boolean {
    return (
      this.#threads.length > 1 &&
      this.#threads.some(
        ({ handle, id, isEnded }) =>
          handle > 0 && id !== 0 && !(isEnded && this.races.isOrdered(handle, this.#current)),
      )
    );
  }

  get hasBegun(): boolean {
    return this.#threads.length > 1;
  }

  thread(handle: number): PathThread<Stack, Code> | undefined {
    return this.#threads[handle];
  }

  get suspended(): Stack[] {
    return this.#threads.flatMap(({ frame }) => (frame === undefined ? [] : [frame]));
  }

  change(handle: number, change: Partial<PathThread<Stack, Code>>): void {
    this.#threads = this.#threads.map(thread =>
      thread.handle === handle ? { ...thread, ...change } : thread,
    );
  }

  /** The handle of a new thread, the smallest free one, as in `check`; undefined for none. */
  create(id: number, begin: Code, created: Trace): number | undefined {
    const isFree = ({ isEnded, isForgotten }: PathThread<Stack, Code>): boolean => isEnded && isForgotten;
    const free = this.#threads.findIndex(isFree);
    const handle = free < 0 ? this.#threads.length : free;
    if (handle >= MOST_THREADS) return undefined;
    const thread: PathThread<Stack, Code> = {
      ...{ handle, id, created, begin, frame: undefined, about: NOTHING, waits: NO_WAIT, locks: [] },
      ...{ isEnded: false, isForgotten: false, isPastPoint: false, copies: new Map() },
    };
    const threads = [...this.#threads];
    threads[handle] = thread;
    this.#threads = threads;
    this.races.created(this.#current, handle);
    return handle;
  }

  /** Switches to another thread. Returns its previous record. */
  switchTo(handle: number, frame: Stack | undefined): PathThread<Stack, Code> {
    this.change(this.#current, { frame });
    const next = this.#threads[handle]!;
    this.#current = handle;
    this.change(handle, { frame: undefined, begin: undefined });
    return next;
  }

  holds(address: number, mode: number, at: Trace): void {
    const { handle, locks } = this.current;
    const index = locks.findLastIndex(lock => lock.address === address);
    this.change(handle, {
      locks: mode === 0 ? locks.filter((_, i) => i !== index) : [...locks, { address, mode, at }],
    });
  }

  // ------------------------------------------------------------------------------------- choices

  /**
   * The threads that may run next: an operation that commutes with everything alone, or else all
   * enabled threads that do not sleep. Empty if other paths cover them.
   */
  open(
    among: readonly number[],
    running: number | undefined,
    yields: boolean,
    triesLocks: boolean,
  ): number[] {
    const able = among.filter(handle => this.#isAble(this.#threads[handle]!));
    // Deadlocked threads may be chosen in any order.
    const candidates = able.length > 0 ? able : among.slice(0, 1);
    const alone = candidates.find(handle => {
      const { what } = this.#threads[handle]!.about;
      if (handle === running && yields) return false;
      return what === 'nothing' || what === 'joins' || (what === 'unlocks' && !triesLocks);
    });
    const tried = (alone === undefined ? candidates : [alone]).filter(handle => !this.#asleep.has(handle));
    const rank = (handle: number): number => {
      if (this.#threads[handle]!.about.what === 'times-out') return 2;
      if (handle === running) return yields ? 3 : 0;
      return 1;
    };
    return tried.sort((a, b) => rank(a) - rank(b) || a - b);
  }

  /**
   * Whether the thread's operation is enabled: a lock must be free, and a joined thread must have
   * ended.
   */
  #isAble({ handle, about: { what, object } }: PathThread<Stack, Code>): boolean {
    if (what === 'joins') return this.#threads[object]?.isEnded ?? true;
    if (what !== 'locks' && what !== 'read-locks') return true;
    const isInTheWay = ({ address, mode }: HeldLock): boolean =>
      address === object && (what === 'locks' || (mode & HELD_ALONE) !== 0);
    return !this.#threads.some(other => other.handle !== handle && other.locks.some(isInTheWay));
  }

  /** Chooses a thread; those that were tried before it sleep while they commute. */
  choose(handle: number, before: readonly number[]): void {
    const { about } = this.#threads[handle]!;
    const asleep = new Map(this.#asleep);
    for (const other of before) asleep.set(other, this.#threads[other]!.about);
    for (const [other, operation] of asleep)
      if (other === handle || areDependent(operation, about)) asleep.delete(other);
    this.#asleep = asleep;
    this.note(handle);
  }

  /** Appends a choice to the schedule. */
  note(handle: number): void {
    this.#chosen = { handle, earlier: this.#chosen };
    this.#choices++;
    this.refused = 0;
  }

  /** The thread that ran after each choice. */
  schedule(): Uint8Array {
    const schedule = new Uint8Array(this.#choices);
    let at = this.#choices;
    for (let link = this.#chosen; link !== undefined; link = link.earlier) schedule[--at] = link.handle;
    return schedule;
  }
}
