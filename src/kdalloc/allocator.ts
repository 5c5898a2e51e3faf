/**
 * The interface of the explorer's allocators.
 *
 * Addresses and sizes are plain numbers: every region ends below 2^53 (see `region-layout.ts`), so
 * they are exact. All outcomes are values: an allocator never throws because of what the program
 * under test asks for.
 *
 * Beside its address an object has an identity that clients can use as a key of persistent maps:
 * the region, the bin, and the slot within the bin. Slots are small integers that are handed out
 * densely from 0, so a `PersistentMap` per bin finds the record of an object in a few loads. (In
 * the large-object bin the slot is the number of the object's first block, below 2^32.)
 */
import { isPowerOfTwo } from '../support/power-of-two.js';

/** The four kinds of memory, which do not disturb each other's addresses. */
export const Region = { constants: 0, globals: 1, stack: 2, heap: 3 } as const;
export type Region = (typeof Region)[keyof typeof Region];
export type RegionName = keyof typeof Region;
/** The names by number. */
export const regionNames: readonly RegionName[] = ['constants', 'globals', 'stack', 'heap'];

/** Where an object lives, as small integers. */
export interface Place {
  readonly region: Region;
  readonly bin: number;
  readonly slot: number;
}

export type Allocation =
  | (Place & { readonly kind: 'allocated'; readonly address: number })
  | {
      readonly kind: 'failed';
      /**
       * `invalid-request`: the size is not a natural number, or the alignment not a power of two.
       * `too-large`: no bin could hold it, not even an empty one.
       * `exhausted`: it would have fitted if less were allocated.
       */
      readonly reason: 'invalid-request' | 'too-large' | 'exhausted';
    };

/** What is at an address, in the view of one state. */
export type Location =
  /**
   * Inside an object: `base <= address < base + size` (an object of size 0 is found at its base).
   */
  | (Place & { readonly kind: 'object'; readonly base: number; readonly size: number })
  /**
   * Inside the place of an object that was freed and not reused; `size` is the size of the whole
   * place.
   */
  | (Place & { readonly kind: 'freed'; readonly base: number; readonly size: number })
  /**
   * Managed memory that belongs to no object: between places, or after the end of an object in its
   * place.
   */
  | { readonly kind: 'redzone'; readonly region: Region; readonly bin: number }
  /** In no region. */
  | { readonly kind: 'outside' };

export type Deallocation =
  | (Place & { readonly kind: 'freed'; readonly size: number })
  /**
   * The address is not the base of an object; `location` says what it is: a double free if `freed`.
   */
  | { readonly kind: 'not-an-object'; readonly location: Location }
  /** A sized deallocation named another size than the allocation did; nothing was freed. */
  | { readonly kind: 'size-mismatch'; readonly size: number };

/** A live object, as `objects` lists it. */
export interface LiveObject extends Place {
  readonly base: number;
  readonly size: number;
}

/** The allocator of one state of the program under test. */
export interface Allocator {
  /**
   * Reserves `size` bytes at a multiple of `alignment` (a power of two, 1 unless given). Objects
   * never overlap, not even empty ones.
   */
  allocate(region: Region, size: number, alignment?: number): Allocation;

  /** Frees the object that begins at `address`; with `size`, only if that is its size. */
  deallocate(address: number, size?: number): Deallocation;

  locate(address: number): Location;

  /**
   * The table of the slot of the last `slotAt` or `take`: `region * BINS_PER_REGION + bin`. It is a
   * separate field, because an object or a large number with both values would be allocated for
   * each lookup.
   */
  readonly table: number;

  /**
   * The slot to which an address belongs, used or not, or -1; `table` is its table. This is cheaper
   * than `locate`; clients that keep records by slot know the rest.
   */
  slotAt(address: number): number;

  /** The address of an allocated slot, the inverse of `slotAt`. */
  addressAt(table: number, slot: number): number;

  /** Like `allocate`, but returns only the slot; -1 if there is none. */
  take(region: Region, size: number, alignment: number): number;

  /** Frees the live object of a slot. */
  release(table: number, slot: number): void;

  /**
   * The allocator of a second state that begins as a copy of this one. Constant time: everything is
   * shared.
   */
  fork(): Allocator;

  /**
   * Whether this allocator and a fork of it will always answer the same requests in the same way.
   */
  isLike(other: Allocator): boolean;

  /** The live objects of a region, in an order that depends only on which objects are live. */
  objects(region: Region): Iterable<LiveObject>;
}

export const invalidRequest: Allocation = { kind: 'failed', reason: 'invalid-request' };
export const tooLarge: Allocation = { kind: 'failed', reason: 'too-large' };
export const exhausted: Allocation = { kind: 'failed', reason: 'exhausted' };
export const outside: Location = { kind: 'outside' };

/**
 * Whether a size and an alignment are valid; both may come directly from the program under test.
 */
export function isValidRequest(size: number, alignment: number): boolean {
  return Number.isSafeInteger(size) && size >= 0 && isPowerOfTwo(alignment);
}
