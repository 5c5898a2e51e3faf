/**
 * Turns the runtime's reports about threads into facts: races, deadlocks, lock orders, leaked
 * threads. Names and stacks are read from the program's memory.
 */
import type {
  DeadlockFacts,
  FindingFacts,
  ObjectFacts,
  ThreadFacts,
  WaitingThread,
} from '../../findings/facts.js';
import { type Finding, isInLibrary, type Note, type Stack } from '../../findings/finding.js';
import { withoutSize } from '../../findings/words/object-words.js';
import { repeating, threadName } from '../../findings/words/thread-words.js';
import type { ImportFunctions } from '../../host/bind.js';
import { threadStackBytes, threadStacksStart } from '../memory-map.js';
import type { CodeSite } from '../sites.js';
import { userStack, wholeStack } from './program-sites.js';
import type { AccessRecord, ThreadEntry, ThreadTables } from './thread-tables.js';

/** The operations of the run that the reports use. */
export interface ThreadSurroundings {
  readonly tables: ThreadTables;
  readonly seed: number | undefined;
  /** The slot of the running thread. */
  current(): number;
  /** The sites of a stack that was kept. */
  stackOf(id: number): readonly CodeSite[];
  site(address: number): CodeSite | undefined;
  /** The sites of a suspended thread, from the top of its call stack. */
  callersOf(slot: number, depth: number): readonly CodeSite[];
  /** The object at an address, and its start. */
  objectAt(address: number): { readonly object: ObjectFacts; readonly address: number } | undefined;
  /**
   * Whether the object belongs to the C library: a variable of it, or a block that it has allocated
   * for itself.
   */
  isLibrarysVariable(address: number): boolean;
  isLibrarysBlock(address: number): boolean;
  /** The record of the last write; 0 for none. */
  writerAt(address: number): number;
  found(facts: FindingFacts, sites: readonly CodeSite[]): void;
  /** Reports a finding and continues. */
  warns(facts: FindingFacts, sites: readonly CodeSite[]): void;
  ends(facts: FindingFacts, sites: readonly CodeSite[]): never;
}

function isEndedLocal({ code }: Finding): boolean {
  return code === 'use-after-return' || code === 'use-after-scope';
}

/** A thread by its number, and the slot that it had. */
type Taker = Pick<AccessRecord, 'thread' | 'slot'>;

export class ThreadReports {
  constructor(private readonly run: ThreadSurroundings) {}

  imports(): ImportFunctions {
    return {
      __rz_report_race: (address: number, record: number, earlier: number) =>
        this.#race(address >>> 0, record >>> 0, earlier >>> 0),
      __rz_report_deadlock: () => this.#deadlock(),
      __rz_report_lock_order: (
        slot: number,
        thread: number,
        first: number,
        second: number,
        asked: number,
        held: number,
        taken: number,
      ) =>
        this.#lockOrder(
          { slot, thread },
          { first: first >>> 0, second: second >>> 0, asked: asked >>> 0 },
          { held: held >>> 0, taken: taken >>> 0 },
        ),
      __rz_report_left_thread: (slot: number, isRunning: number) => this.#left(slot, isRunning !== 0),
    };
  }

  /**
   * Adds to a finding of another kind the thread in which it occurred, and the thread that freed
   * the block or whose local variable it was.
   */
  annotate(finding: Finding, address: number | undefined): Finding {
    if (this.run.tables.threads().length < 2) return finding;
    const current = this.run.tables.thread(this.run.current());
    const { notes = [] } = finding;
    const record = address === undefined ? 0 : this.run.writerAt(address);
    const freed = record === 0 ? undefined : this.run.tables.record(record);
    const isFreed = finding.object?.freed !== undefined && freed?.operation === 'free';
    const owner = isEndedLocal(finding) && address !== undefined ? this.#ownerOfStack(address) : undefined;
    const about = [
      `this is ${threadName(current)}`,
      ...(isFreed ? [`${threadName({ id: freed.thread })} freed the block`] : []),
      ...(owner && owner.id !== current.id ? [`the variable was one of ${threadName(owner)}`] : []),
    ];
    const of: Note[] = [
      { message: about.join('; ') },
      ...this.#creation(current),
      ...repeating(this.run.seed),
    ];
    // A start routine of another type is called by the library.
    const [created] = this.#thread(current).created ?? [];
    const location = created !== undefined && isInLibrary(finding.location) ? created : finding.location;
    return { ...finding, location, notes: [...notes, ...of] };
  }

  /** The thread with a stack at this address. Unknown if another thread has had its slot. */
  #ownerOfStack(address: number): ThreadEntry | undefined {
    const threads = this.run.tables.threads();
    const slot = Math.floor((address - threadStacksStart) / threadStackBytes);
    const isExact = threads.every(({ id }) => id <= threads.length);
    return isExact ? threads.find(thread => thread.slot === slot && slot > 0) : undefined;
  }

  #creation(entry: ThreadEntry): Note[] {
    const [location] = this.#thread(entry).created ?? [];
    return location ? [{ message: `${threadName(entry)} was created here`, location }] : [];
  }

  #thread({ id, slot, created }: Pick<ThreadEntry, 'id' | 'slot' | 'created'>): ThreadFacts {
    return slot === 0 ? { id } : { id, created: userStack(this.run.stackOf(created)) };
  }

  /** The thread of a record; another thread may have its slot by now. */
  #threadOf({ thread, slot }: Taker): ThreadFacts {
    const entry = this.run.tables.thread(slot);
    return entry.id === thread ? this.#thread(entry) : { id: thread };
  }

  #sitesOf({ site, stack }: AccessRecord): readonly CodeSite[] {
    const callers = this.run.stackOf(stack);
    const here = site === 0 ? undefined : this.run.site(site);
    if (here === undefined) return callers;
    return [here, ...(here.hasFrame ? callers.slice(1) : callers)];
  }

  #lock(address: number): string {
    const found = this.run.objectAt(address);
    if (found === undefined) return `the lock at 0x${address.toString(16)}`;
    const offset = address - found.address;
    const name = withoutSize(found.object);
    return offset === 0 ? name : `${name} + ${offset}`;
  }

  #race(address: number, index: number, earlierIndex: number): void {
    const { run } = this;
    const [now, earlier] = [run.tables.record(index), run.tables.record(earlierIndex)];
    // On real machines the library protects its own data with locks.
    const byLibrary = now.isRange || earlier.isRange;
    if (run.isLibrarysVariable(address) || (byLibrary && run.isLibrarysBlock(address))) return;
    const sites = this.#sitesOf(now);
    const found = run.objectAt(address);
    if (now.operation === 'free' && found && isUnreportedEnd(found.object)) return;
    const access = (record: AccessRecord, at: readonly CodeSite[]) => ({
      operation: record.operation,
      isAtomic: record.isAtomic,
      thread: this.#threadOf(record),
      stack: wholeStack(at).stack,
      locks: record.locks.map(lock => this.#lock(lock)),
    });
    run.found(
      {
        kind: 'race',
        now: access(now, sites),
        earlier: access(earlier, this.#sitesOf(earlier)),
        bytes: now.bytes,
        ...(found && { object: found.object, offset: address - found.address }),
        ...(run.seed !== undefined && { seed: run.seed }),
      },
      sites,
    );
  }

  #deadlock(): never {
    const { run } = this;
    const alive = run.tables.threads().filter(({ isEnded }) => !isEnded);
    // A thread that only waits for another's end is not a cause.
    const order = [...alive.filter(isCause), ...alive.filter(entry => !isCause(entry))];
    const threads = order.map((entry): WaitingThread => {
      const stack: Stack = wholeStack(run.callersOf(entry.slot, entry.depth)).stack;
      const holder = entry.waitsFor === undefined ? undefined : run.tables.thread(entry.waitsFor);
      const isLock = entry.waits !== 'thread' && entry.waits !== 'all threads' && entry.waits !== 'once';
      return {
        thread: this.#thread(entry),
        waits: entry.waits,
        ...(isLock && { lock: this.#lock(entry.waitsAt) }),
        ...(holder && holder.id !== 0 && { holder: holder.id }),
        stack,
        holds: entry.locks.map(lock => ({
          lock: this.#lock(lock.address),
          stack: userStack(run.stackOf(lock.stack)),
        })),
      };
    });
    const facts: DeadlockFacts = {
      kind: 'deadlock',
      threads,
      ...(run.seed !== undefined && { seed: run.seed }),
    };
    return run.ends(facts, run.callersOf(order[0]!.slot, order[0]!.depth));
  }

  /** The running thread takes `second` while it holds `first`; the other thread held `second`. */
  #lockOrder(
    other: Taker,
    { first, second, asked }: Record<'first' | 'second' | 'asked', number>,
    { held, taken }: Record<'held' | 'taken', number>,
  ): void {
    const { run } = this;
    const current = run.tables.thread(run.current());
    const own = current.locks.find(({ address }) => address === first);
    run.warns(
      {
        kind: 'lock-order',
        first: this.#lock(first),
        second: this.#lock(second),
        now: { thread: this.#thread(current), held: own ? userStack(run.stackOf(own.stack)) : [] },
        earlier: {
          thread: this.#threadOf(other),
          asked: this.#lock(asked),
          held: userStack(run.stackOf(held)),
          stack: userStack(run.stackOf(taken)),
        },
        ...(run.seed !== undefined && { seed: run.seed }),
      },
      run.callersOf(run.current(), 0),
    );
  }

  #left(slot: number, isRunning: boolean): void {
    const entry = this.run.tables.thread(slot);
    this.run.warns(
      { kind: 'left-thread', thread: this.#thread(entry), isRunning },
      this.run.stackOf(entry.created),
    );
  }
}

/**
 * Whether the end of the local is not reported: the library orders the accesses to its own, and the
 * program ends after those of main.
 */
function isUnreportedEnd({ kind, allocated }: ObjectFacts): boolean {
  const [declared] = allocated ?? [];
  return (
    kind === 'stack' && (declared === undefined || isInLibrary(declared) || declared.function === 'main')
  );
}

function isCause({ waits }: ThreadEntry): boolean {
  return waits !== 'thread' && waits !== 'all threads';
}
