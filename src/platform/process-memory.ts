/** The memory of this process, its limit, and the number of workers that fit into it. */
import { availableParallelism, freemem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

export function residentBytes(): number {
  return process.memoryUsage.rss();
}

/** The peak resident memory. */
export function mostResidentBytes(): number {
  return process.resourceUsage().maxRSS * 1024;
}

/** Beyond its limit V8 ends the process, and all results are lost. */
export function isHeapNearlyFull(): boolean {
  const { used_heap_size, heap_size_limit } = getHeapStatistics();
  return used_heap_size > 0.9 * heap_size_limit;
}

/**
 * How many workers with this much memory each can run in parallel; at least one. Half of the free
 * memory is left to others.
 */
export function workersThatFit(bytesEach: number): number {
  const free = process.availableMemory?.() ?? freemem();
  return Math.max(1, Math.min(availableParallelism(), Math.floor(free / 2 / bytesEach)));
}

/** The memory that a thread of an exploration or of a campaign may need. */
const bytesOfThread = 256 << 20;

/** The number of threads that `auto` stands for, as `workersThatFit`. */
export function threadsFor(workers: number | 'auto'): number {
  return workers === 'auto' ? workersThatFit(bytesOfThread) : workers;
}
