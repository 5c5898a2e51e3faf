/**
 * psmalloc2: the SRI report's second prototype. ptmalloc2 with everything apart except one integer:
 * the number of the arena.
 *
 *     program's memory   ┌─┬───────┐┌─┬────────────┐┌─┬───────┐
 *                        │n│ block ││n│ block      ││n│ block │        n: 8 bytes before each block
 *                        └─┴───────┘└─┴────────────┘└─┴───────┘
 *     ───────────────────────────────────────────────────────────────
 *     apart              arena n ─▶ its own linear hash table ─▶ records
 *
 * The program can overwrite n. But n is an index and no pointer: one that is out of range is
 * noticed at once, and with one that is merely wrong the block is not found in that arena's table.
 * Either way nothing is followed: `corrupted`.
 *
 * Vital statistics
 *   Blocks         at multiples of 16; the smallest has 8 bytes; the largest just under 1 GiB
 *   Overhead       8 bytes in line for each block, and up to 15 for rounding; apart 48 bytes for each chunk, as in dsmalloc
 *   Threads        any number; those that need the same arena wait
 *   Notices        as dnmalloc, and a number that was overwritten
 *
 * Invariants: those of `ChunkHeap` and of `LinearHash`; before each block in use stands the number
 * of its arena.
 */
import type { LinearMemory } from './linear-memory.js';
import type { FreeOutcome } from './malloc.js';
import { layOutArenas } from './separate/arenas.js';
import type { MetadataSpace } from './separate/metadata-space.js';
import { type Arena, SeparateMalloc } from './separate/separate-malloc.js';

const LEAD = 8;

export class Psmalloc2 extends SeparateMalloc {
  constructor(memory: LinearMemory, space: MetadataSpace, count: number, worker = 0) {
    const { records, arenas } = layOutArenas(memory, space, { count, lead: LEAD });
    super(memory, records, arenas, worker % count, LEAD);
  }

  protected readonly extraBytesApart: number = 0;

  protected arenaOf(address: number): Arena | undefined {
    return this.arenas[this.memory.words[(address - LEAD) >> 2]!];
  }

  protected marked(address: number, arena: number): number {
    const at = (address - LEAD) >> 2;
    this.memory.words[at] = arena;
    this.memory.words[at + 1] = 0;
    return address;
  }

  /** A number that does not lead to the block was overwritten, if the block is in another arena. */
  override free(address: number): FreeOutcome {
    const outcome = super.free(address);
    if (outcome !== 'invalid-free') return outcome;
    const isKnown = this.arenas.some(arena => this.knows(arena, address));
    return isKnown ? this.refuse('corrupted') : outcome;
  }

  override check(): string | undefined {
    let problem = super.check();
    this.walk((kind, address) => {
      if (kind === 'client' && this.arenaOf(address)?.index.find(address) === 0)
        problem ??= `the number before the block at ${address} is wrong`;
    });
    return problem;
  }
}
