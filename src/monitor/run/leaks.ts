/**
 * Leaks: the live blocks at the end of the program to which nothing points.
 *
 * A pointer names its block by number, so the scan is exact: a word of memory is a pointer to block
 * n if its upper half is n and its lower half an address in block n. Two neighbouring integers do
 * not look like that by accident.
 *
 * ```
 *   globals ──▶ A ──▶ B           A, B  still reachable
 *               C ──▶ D           C     lost: nothing points to it;   D  lost with it: only C does
 *               E ◀─▶ F           E     lost: the older of a ring;    F  lost with it
 * ```
 *
 * Aligned words are scanned first; only for blocks that they do not reach are all other addresses
 * scanned too, because packed structures may hold pointers there.
 */
import { countOf } from '../memory-map.js';
import type { HeapBlock, ProgramMemory } from './program-memory.js';

export interface LostBlocks {
  /** The id of the stack that allocated the oldest. */
  readonly allocated: number;
  /** The size of each block, the oldest first. */
  readonly sizes: readonly number[];
  /** Blocks that are reachable only from these. */
  readonly behind: { readonly blocks: number; readonly bytes: number };
}

export interface Leaks {
  readonly lost: readonly LostBlocks[];
  readonly reachable: { readonly blocks: number; readonly bytes: number };
}

export interface Range {
  readonly address: number;
  readonly bytes: number;
}

/** What is known of an allocating stack by its id. */
export interface AllocationStacks {
  /** Whether the library allocates its blocks for itself; such blocks are never lost. */
  isLibrarys(allocated: number): boolean;
  /** The same for stacks whose blocks are one leak. */
  keyOf(allocated: number): string;
}

export function findLeaks(memory: ProgramMemory, roots: readonly Range[], stacks: AllocationStacks): Leaks {
  const live = new Map<number, HeapBlock>();
  for (const block of memory.heapBlocks()) if (block.state === 'live') live.set(block.number, block);
  const own = [...live.values()].filter(block => stacks.isLibrarys(block.allocated));
  const all = [...roots, ...own];

  const reached = new Set<HeapBlock>(own);
  follow(all, reached, memory, live, 8);
  if (reached.size < live.size) follow([...all, ...reached], reached, memory, live, 1);

  const remaining = [...live.values()].filter(block => !reached.has(block));
  const users = [...reached].filter(block => !own.includes(block));
  return {
    lost: groupLost(remaining, memory, stacks),
    reachable: { blocks: users.length, bytes: sum(users.map(block => block.bytes)) },
  };
}

/** Adds everything reachable from the ranges to `reached`. */
function follow(
  from: readonly Range[],
  reached: Set<HeapBlock>,
  memory: ProgramMemory,
  live: ReadonlyMap<number, HeapBlock>,
  step: 1 | 8,
): HeapBlock[] {
  const pending = [...from];
  const added: HeapBlock[] = [];
  for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
    for (const block of memory.pointersIn(range, live, step)) {
      if (reached.has(block)) continue;
      reached.add(block);
      added.push(block);
      pending.push(block);
    }
  }
  return added;
}

/**
 * Separates directly lost blocks from those that are only reachable from them, and groups them by
 * the stack of their allocation.
 */
function groupLost(
  remaining: readonly HeapBlock[],
  memory: ProgramMemory,
  stacks: AllocationStacks,
): LostBlocks[] {
  const byNumber = new Map(remaining.map(block => [block.number, block]));
  const pointedTo = new Set<HeapBlock>();
  for (const block of remaining)
    for (const other of memory.pointersIn(block, byNumber, 8)) if (other !== block) pointedTo.add(other);

  const oldestFirst = [...remaining].sort((a, b) => countOf(a.number) - countOf(b.number));
  const heads = oldestFirst.filter(block => !pointedTo.has(block));
  const seen = new Set<HeapBlock>(heads);
  const groups = new Map<string, { allocated: number; sizes: number[]; blocks: number; bytes: number }>();
  const add = (head: HeapBlock) => {
    const behind = follow([head], seen, memory, byNumber, 8);
    const { allocated } = head;
    const key = stacks.keyOf(allocated);
    const group = groups.get(key) ?? { allocated, sizes: [], blocks: 0, bytes: 0 };
    groups.set(key, group);
    group.sizes.push(head.bytes);
    group.blocks += behind.length;
    group.bytes += sum(behind.map(block => block.bytes));
  };
  for (const head of heads) add(head);
  for (const block of oldestFirst) {
    if (seen.has(block)) continue;
    seen.add(block);
    add(block);
  }
  return [...groups.values()].map(({ allocated, sizes, blocks, bytes }) => ({
    allocated,
    sizes,
    behind: { blocks, bytes },
  }));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
