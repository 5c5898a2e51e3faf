/**
 * kdalloc: the explorer's deterministic allocator (`src/kdalloc`), through the interface of the
 * others.
 *
 *     program's memory   │ 1 │ 4 │ 8 │ 16 │ 32 │ 64 │ 256 │ 2048 │ large objects │     one bin for each size of slots
 *     ──────────────────────────────────────────────────────────────
 *     apart              which slots are in use; a treap of the large objects
 *
 * Region, bin and slot follow from an address by arithmetic. Objects lie as far apart as they can,
 * and freed slots wait in a quarantine of 8 per bin. Its state is a persistent structure, made for
 * forking rather than for speed.
 *
 * Instead of coalescing: a slot serves blocks of its size again, forever; in the bin of large
 * objects the space of one that leaves the quarantine is joined with the free space around it.
 *
 * It is made for 64-bit address spaces, where no bin is ever full. Here one may be: then a block
 * comes from the bin of large objects.
 *
 * The whole address space of the region is used from the start, sparsely: the break is at the limit
 * at once.
 *
 * Vital statistics
 *   Blocks         at multiples of 16; as long as requested, but 1 byte for malloc(0)
 *   Overhead       none in line but the slot, which may be eight times as long as the block, and what lies between large objects
 *   Threads        one
 *   Notices        a free of anything but a live block; double frees by their name while the slot is not used again
 *
 * Invariants: those of the allocator, which it checks itself.
 */

import { Kdalloc, planLayout, Region } from '../kdalloc/index.js';
import { InternalError } from '../support/assert.js';
import { isPowerOfTwo } from '../support/power-of-two.js';
import type { LinearMemory } from './linear-memory.js';
import { ALIGNMENT, CommonMalloc, type FreeOutcome, type Problem, type Visit } from './malloc.js';

const PAGE = 4096;
const QUARANTINE = 8;
/** Larger objects share one bin. */
const LARGEST_SLOT = 2048;
/** A rough figure, for comparison only: the nodes are JavaScript objects. */
const BYTES_PER_OBJECT = 32;

export class KdallocMalloc extends CommonMalloc {
  readonly #allocator: Kdalloc;
  #live = 0;

  constructor(memory: LinearMemory) {
    super(memory);
    const base = (memory.start + PAGE - 1) & -PAGE;
    const size = (memory.limit - base) & -PAGE;
    const planned = planLayout({ heap: { base, size } });
    if (planned.kind === 'invalid') throw new InternalError(planned.problem);
    this.#allocator = Kdalloc.create(planned.layout, QUARANTINE);
    memory.sbrk(memory.limit - memory.start);
  }

  get bytesApart(): number {
    return this.#live * BYTES_PER_OBJECT;
  }

  malloc(bytes: number): number {
    return this.#allocate(bytes, ALIGNMENT);
  }

  memalign(alignment: number, bytes: number): number {
    this.problem = undefined;
    return isPowerOfTwo(alignment) ? this.#allocate(bytes, Math.max(alignment, ALIGNMENT)) : 0;
  }

  #allocate(bytes: number, alignment: number): number {
    this.problem = undefined;
    let made = this.#allocator.allocate(Region.heap, Math.max(bytes, 1), alignment);
    if (made.kind === 'failed' && bytes <= LARGEST_SLOT)
      made = this.#allocator.allocate(Region.heap, LARGEST_SLOT + 1, alignment);
    if (made.kind === 'failed') return 0;
    this.#live++;
    return made.address;
  }

  free(address: number): FreeOutcome {
    this.problem = undefined;
    if (address === 0) return 'ok';
    const freed = this.#allocator.deallocate(address);
    if (freed.kind !== 'freed') return this.refuse(this.#problemAt(address));
    this.#live--;
    return 'ok';
  }

  #problemAt(address: number): Problem {
    const location = this.#allocator.locate(address);
    return location.kind === 'freed' && location.base === address ? 'double-free' : 'invalid-free';
  }

  usableSize(address: number): number {
    const location = address === 0 ? undefined : this.#allocator.locate(address);
    return location?.kind === 'object' && location.base === address ? location.size : 0;
  }

  walk(visit: Visit): void {
    let end = this.memory.start;
    const objects = [...this.#allocator.objects(Region.heap)].sort((a, b) => a.base - b.base);
    for (const { base, size } of objects) {
      if (base > end) visit('free', end, base - end);
      visit('client', base, size);
      end = base + size;
    }
    if (this.memory.limit > end) visit('free', end, this.memory.limit - end);
  }

  check(): string | undefined {
    try {
      this.#allocator.check(2);
      return undefined;
    } catch (error) {
      if (error instanceof InternalError) return error.message;
      throw error;
    }
  }
}
