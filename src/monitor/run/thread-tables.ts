/**
 * Reads the tables of `runtime/monitor/threads.h` and `races.h` from the program's memory: the
 * threads, what they wait for and hold, and the records of accesses.
 */
import { type ThreadWait, threadWaits } from '../../findings/thread-waits.js';
import { callsStart, locksetsStart, recordsStart } from '../memory-map.js';

/** Words of `struct thread`. */
const threadWords = 14 + 3 * 32 + 2;
const field = {
  id: 0,
  creator: 1,
  created: 2,
  depth: 3,
  waits: 5,
  waitsAt: 6,
  waitsFor: 7,
  lockCount: 8,
  isEnded: 9,
  here: 11,
  hereDepth: 12,
  locks: 13,
};

/** `enum race_kind`. */
const kind = { write: 1, atomic: 2, free: 4, range: 8 };
const recordWords = 7;

export interface HeldLock {
  readonly address: number;
  /** The stack on which it was taken. */
  readonly stack: number;
}

export interface ThreadEntry {
  readonly slot: number;
  readonly id: number;
  readonly creator: number;
  /** The stack of its creation. */
  readonly created: number;
  /** The top of its call stack while it is suspended. */
  readonly depth: number;
  readonly waits: ThreadWait;
  readonly waitsAt: number;
  /** The slot of the thread for which it waits. */
  readonly waitsFor: number | undefined;
  readonly isEnded: boolean;
  /** The site of its last atomic operation or long loop, and the top of its call stack then. */
  readonly here: { readonly site: number; readonly depth: number };
  readonly locks: readonly HeldLock[];
}

export interface AccessRecord {
  readonly thread: number;
  readonly slot: number;
  readonly operation: 'read' | 'write' | 'free';
  readonly bytes: number;
  readonly isAtomic: boolean;
  /** Whether a function of the C library made the access. */
  readonly isRange: boolean;
  readonly site: number;
  readonly stack: number;
  readonly locks: readonly number[];
}

/**
 * The sites of a suspended thread's calls, innermost first, from the top of its call stack down to
 * the slot `end`.
 */
export function callsBelow(depth: number, word: (address: number) => number, end = 0): number[] {
  const calls: number[] = [];
  // There is a zero below the first frame of a thread, and nothing below that of main.
  for (let at = depth - 4; at >= Math.max(callsStart, end) && word(at) !== 0; at -= 4) calls.push(word(at));
  return calls;
}

export class ThreadTables {
  constructor(
    private readonly word: (address: number) => number,
    private readonly places: { threads(): number; count(): number },
  ) {}

  threads(): ThreadEntry[] {
    const entries: ThreadEntry[] = [];
    for (let slot = 0; slot < this.places.count(); slot++) {
      const entry = this.#thread(slot);
      if (entry.id !== 0) entries.push(entry);
    }
    return entries;
  }

  /** Indexed by its slot. */
  thread(slot: number): ThreadEntry {
    return this.#thread(slot);
  }

  #thread(slot: number): ThreadEntry {
    const at = (index: number) => this.word(this.places.threads() + (slot * threadWords + index) * 4);
    const locks = Array.from({ length: at(field.lockCount) }, (_, i) => ({
      address: at(field.locks + 3 * i),
      stack: at(field.locks + 3 * i + 2),
    }));
    const waitsFor = at(field.waitsFor);
    return {
      slot,
      id: at(field.id),
      creator: at(field.creator),
      created: at(field.created),
      depth: at(field.depth),
      waits: threadWaits[at(field.waits)] ?? 'nothing',
      waitsAt: at(field.waitsAt),
      waitsFor: waitsFor === 0xffff_ffff ? undefined : waitsFor,
      isEnded: at(field.isEnded) !== 0,
      here: { site: at(field.here), depth: at(field.hereDepth) },
      locks,
    };
  }

  record(index: number): AccessRecord {
    const at = (part: number) => this.word(recordsStart + (index * recordWords + part) * 4);
    const flags = at(3);
    const lockset = locksetsStart + at(6) * 4;
    const count = at(6) === 0 ? 0 : this.word(lockset);
    return {
      slot: at(0),
      thread: at(1),
      operation: flags & kind.free ? 'free' : flags & kind.write ? 'write' : 'read',
      bytes: flags >>> 4,
      isAtomic: (flags & kind.atomic) !== 0,
      isRange: (flags & kind.range) !== 0,
      site: at(4),
      stack: at(5),
      locks: Array.from({ length: count }, (_, i) => this.word(lockset + 4 * (i + 1))),
    };
  }
}
