/**
 * The interface of every malloc of the family, and code that their callers share.
 *
 * Addresses and sizes are plain numbers below 2^32; 0 is NULL. Nothing here throws because of what
 * the program under test asks for, and nothing allocates a JavaScript object per call: an outcome
 * is an address or one of a few constant strings.
 *
 *     address      a block of at least that many bytes, at a multiple of 16
 *     0            none; `problem` says why if it is not that memory ran out
 *
 * `problem` is what the *last* call met. Two of its values only the mallocs that keep their
 * metadata in line can have: they believe what they read in the program's memory, and follow it.
 */
import type { LinearMemory } from './linear-memory.js';

export type Problem =
  /** The address is not the start of a live block. */
  | 'invalid-free'
  /** The address was the start of a block that has been freed. */
  | 'double-free'
  /** The malloc has detected that its own data contradict each other. */
  | 'corrupted'
  /**
   * The malloc has followed a corrupted pointer out of the memory, which is a segmentation fault on
   * a real machine.
   */
  | 'fault';

export type FreeOutcome = 'ok' | Problem;

export type RegionKind = 'client' | 'free' | 'metadata' | 'guard';

/**
 * Called for each piece of the heap; pieces do not overlap. `client` is what the owner of a live
 * block may use.
 */
export type Visit = (kind: RegionKind, address: number, bytes: number) => void;

export interface Malloc {
  readonly problem: Problem | undefined;
  malloc(bytes: number): number;
  calloc(count: number, each: number): number;
  /** As in C: NULL makes it `malloc`, 0 bytes `free`. On failure the old block is unchanged. */
  realloc(address: number, bytes: number): number;
  /** `alignment` is a power of two; anything else gives 0. */
  memalign(alignment: number, bytes: number): number;
  /** Does nothing for NULL. */
  free(address: number): FreeOutcome;
  /**
   * How many bytes the owner of a live block may use; 0 for every other address, that of a block
   * which was freed, too. Requires what `walk` requires.
   */
  usableSize(address: number): number;
  /** The heap piece by piece, in no particular order. Requires that it is not corrupted. */
  walk(visit: Visit): void;
  /** The first invariant that does not hold, in words. */
  check(): string | undefined;
  /** Bytes of metadata outside the program's memory, of those that were ever used. */
  readonly bytesApart: number;
}

/** Every block begins at a multiple of this, as on LP64 machines. */
export const ALIGNMENT = 16;

/** The product, or `tooMany` when it exceeds what any memory here holds. */
export function bytesOf(count: number, each: number): number {
  const bytes = count * each;
  return bytes > 0xffff_ffff ? tooMany : bytes;
}

/** A request that every malloc refuses. */
const tooMany = 0xffff_ffff;

/** The operations that all mallocs implement in the same way. */
export abstract class CommonMalloc implements Malloc {
  problem: Problem | undefined = undefined;

  constructor(protected readonly memory: LinearMemory) {}

  abstract malloc(bytes: number): number;
  abstract memalign(alignment: number, bytes: number): number;
  abstract free(address: number): FreeOutcome;
  abstract usableSize(address: number): number;
  abstract walk(visit: Visit): void;
  abstract check(): string | undefined;
  abstract get bytesApart(): number;

  calloc(count: number, each: number): number {
    const bytes = bytesOf(count, each);
    const address = this.malloc(bytes);
    if (address !== 0) this.memory.bytes.fill(0, address, address + bytes);
    return address;
  }

  /** By allocating, copying and freeing; those that can do it in place override `resize`. */
  realloc(address: number, bytes: number): number {
    if (address === 0) return this.malloc(bytes);
    if (bytes === 0) {
      this.free(address);
      return 0;
    }
    this.problem = undefined;
    const usable = this.believedSize(address);
    if (usable === 0) {
      // free reports which kind of invalid pointer it is.
      const outcome = this.free(address);
      this.problem = outcome === 'ok' ? 'invalid-free' : outcome;
      return 0;
    }
    if (this.resize(address, bytes)) return address;
    const moved = this.malloc(bytes);
    if (moved === 0) return 0;
    this.memory.bytes.copyWithin(moved, address, address + Math.min(usable, bytes));
    const outcome = this.free(address);
    if (outcome === 'ok') return moved;
    this.problem = outcome;
    return 0;
  }

  /** The usable size of an alleged live block; 0 if the malloc does not trust it. */
  protected believedSize(address: number): number {
    return this.usableSize(address);
  }

  /** Whether the live block could be made to hold that many bytes where it is. */
  protected resize(address: number, bytes: number): boolean {
    const usable = this.usableSize(address);
    return bytes <= usable && bytes >= usable / 2;
  }

  protected fail(problem: Problem): 0 {
    this.problem = problem;
    return 0;
  }

  protected refuse(problem: Problem): Problem {
    this.problem = problem;
    return problem;
  }
}
