/**
 * Data races of a path: two unordered accesses to the same memory, at least one of them a write.
 *
 * Each thread has a vector clock; release and acquire operations join them (`docs/decisions/0136`
 * does the same for `check`). Accesses are recorded per granule of 8 bytes, in persistent maps that
 * forks share. A granule keeps the accesses with which a later one could race.
 */
import { PersistentMap } from '../../support/persistent-map.js';
import type { Trace } from '../memory/call-trace.js';

/** Indexed by handle. */
export type Clock = readonly number[];

export interface PastAccess {
  readonly handle: number;
  readonly thread: number;
  readonly clock: number;
  readonly operation: 'read' | 'write' | 'free';
  readonly isAtomic: boolean;
  readonly bytes: number;
  readonly at: Trace;
  /** Addresses of the locks that the thread held. */
  readonly locks: readonly number[];
}

interface Seen {
  readonly access: PastAccess;
  /** A bit for each byte of the granule. */
  readonly mask: number;
}

type Granule = readonly Seen[];

const GRANULE = 8;
const HIGH = 2 ** 32;

export interface MemoryOrder {
  readonly acquires: boolean;
  readonly releases: boolean;
}

export interface Atomic extends MemoryOrder {
  readonly loads: boolean;
  readonly stores: boolean;
}

/** The clock of an atomic object, and the heads of its release sequences. */
interface Sequence {
  readonly clock: Clock;
  readonly heads: readonly number[];
}

function joined(a: Clock, b: Clock): Clock {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => Math.max(a[i] ?? 0, b[i] ?? 0));
}

export class PathRaces {
  #clocks: readonly Clock[] = [[1]];
  /** The clocks of locks and similar objects, and of atomics, by address. */
  #objects: ReadonlyMap<number, Clock> = new Map();
  #atomics: ReadonlyMap<number, Sequence> = new Map();
  /** What a release fence keeps for later stores, and relaxed loads for an acquire fence. */
  #released: readonly Clock[] = [];
  #pending: readonly Clock[] = [];
  #granules = new Map<number, PersistentMap<Granule>>();

  fork(): PathRaces {
    const copy = new PathRaces();
    copy.#clocks = this.#clocks;
    copy.#objects = this.#objects;
    copy.#atomics = this.#atomics;
    copy.#released = this.#released;
    copy.#pending = this.#pending;
    copy.#granules = new Map(Array.from(this.#granules, ([high, cells]) => [high, cells.fork()]));
    return copy;
  }

  // -------------------------------------------------------------------------------------- clocks

  clockOf(handle: number): Clock {
    return this.#clocks[handle] ?? [];
  }

  #setClock(handle: number, clock: Clock): void {
    const clocks = [...this.#clocks];
    clocks[handle] = clock;
    this.#clocks = clocks;
  }

  #tick(handle: number): void {
    const clock = [...this.clockOf(handle)];
    clock[handle] = (clock[handle] ?? 0) + 1;
    this.#setClock(handle, clock);
  }

  /** A reused handle continues the count of the previous thread. */
  created(creator: number, handle: number): void {
    const own = this.clockOf(handle)[handle] ?? 0;
    const clock = [...this.clockOf(creator)];
    clock[handle] = own + 1;
    this.#setClock(
      handle,
      Array.from(clock, each => each ?? 0),
    );
    this.#tick(creator);
  }

  released(handle: number, object: number): void {
    const clock = joined(this.#objects.get(object) ?? [], this.clockOf(handle));
    this.#objects = new Map(this.#objects).set(object, clock);
    this.#tick(handle);
  }

  acquired(handle: number, object: number): void {
    const clock = this.#objects.get(object);
    if (clock !== undefined) this.#setClock(handle, joined(this.clockOf(handle), clock));
  }

  joinedWith(handle: number, ended: number): void {
    this.#setClock(handle, joined(this.clockOf(handle), this.clockOf(ended)));
  }

  /** Whether everything that a thread did happens before the next access of another. */
  isOrdered(ended: number, handle: number): boolean {
    return (this.clockOf(ended)[ended] ?? 0) <= (this.clockOf(handle)[ended] ?? 0);
  }

  fence(handle: number, { acquires, releases }: MemoryOrder): void {
    if (acquires) this.#setClock(handle, joined(this.clockOf(handle), this.#pending[handle] ?? []));
    if (!releases) return;
    const released = [...this.#released];
    released[handle] = this.clockOf(handle);
    this.#released = released;
    this.#tick(handle);
  }

  /** As `order_atomic` of `runtime/monitor/races.c`. */
  atomic(handle: number, address: number, { loads, stores, acquires, releases }: Atomic): void {
    const { clock, heads } = this.#atomics.get(address) ?? { clock: [], heads: [] };
    if (loads && acquires) this.#setClock(handle, joined(this.clockOf(handle), clock));
    else if (loads) {
      const pending = [...this.#pending];
      pending[handle] = joined(pending[handle] ?? [], clock);
      this.#pending = pending;
    }
    if (!stores) return;
    const given = releases ? this.clockOf(handle) : (this.#released[handle] ?? []);
    const continued = loads ? heads : heads.filter(head => head === handle);
    const isHead = given.length > 0 && !continued.includes(handle);
    this.#atomics = new Map(this.#atomics).set(address, {
      clock: continued.length > 0 ? joined(clock, given) : given,
      heads: isHead ? [...continued, handle] : continued,
    });
    if (releases) this.#tick(handle);
  }

  // ------------------------------------------------------------------------------------- accesses

  #cells(granule: number): PersistentMap<Granule> {
    const high = Math.floor(granule / HIGH);
    let cells = this.#granules.get(high);
    if (cells === undefined) {
      cells = new PersistentMap();
      this.#granules.set(high, cells);
    }
    return cells;
  }

  /** Records an access. Returns an earlier one with which it races, and the address. */
  access(
    access: PastAccess,
    address: number,
  ): { readonly earlier: PastAccess; readonly at: number } | undefined {
    const clock = this.clockOf(access.handle);
    const end = address + access.bytes;
    for (let start = address; start < end; ) {
      const granule = Math.floor(start / GRANULE);
      const stop = Math.min(end, (granule + 1) * GRANULE);
      const mask = ((1 << (stop - start)) - 1) << (start % GRANULE);
      const cells = this.#cells(granule);
      const key = granule % HIGH;
      const seen = cells.get(key) ?? [];
      const rival = seen.find(other => (other.mask & mask) !== 0 && isRace(access, other.access, clock));
      if (rival !== undefined) return { earlier: rival.access, at: start };
      cells.set(key, [...seen.filter(other => isStillNeeded(other, access, mask, clock)), { access, mask }]);
      start = stop;
    }
    return undefined;
  }

  /** The memory is reused by a new object. */
  fresh(address: number, bytes: number): void {
    if (this.#granules.size === 0) return;
    for (let granule = Math.floor(address / GRANULE); granule * GRANULE < address + bytes; granule++)
      this.#cells(granule).delete(granule % HIGH);
  }

  /** The thread that freed the memory, if the free was the last access. */
  freedBy(address: number): number | undefined {
    const granule = Math.floor(address / GRANULE);
    const seen = this.#cells(granule).get(granule % HIGH) ?? [];
    return seen.findLast(({ access }) => access.operation === 'free')?.access.thread;
  }
}

function isBefore(access: PastAccess, clock: Clock): boolean {
  return access.clock <= (clock[access.handle] ?? 0);
}

function isRace(access: PastAccess, other: PastAccess, clock: Clock): boolean {
  if (access.operation === 'read' && other.operation === 'read') return false;
  return !(access.isAtomic && other.isAtomic) && !isBefore(other, clock);
}

/** An access that is ordered before a later one with the same conflicts need not be kept. */
function isStillNeeded(other: Seen, access: PastAccess, mask: number, clock: Clock): boolean {
  if ((other.mask & ~mask) !== 0 || !isBefore(other.access, clock)) return true;
  if (other.access.isAtomic !== access.isAtomic && access.isAtomic) return true;
  return access.operation === 'read' && other.access.operation !== 'read';
}
