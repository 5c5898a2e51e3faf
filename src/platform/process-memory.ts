/**
 * How much memory this process has, how much it may have, and how many workers that is good for.
 */
import { availableParallelism, freemem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

export function residentBytes(): number {
  return process.memoryUsage.rss();
}

/** The most that it ever had. */
export function mostResidentBytes(): number {
  return process.resourceUsage().maxRSS * 1024;
}

/** Beyond its limit V8 ends the process, and with it all that is known so far. */
export function isHeapNearlyFull(): boolean {
  const { used_heap_size, heap_size_limit } = getHeapStatistics();
  return used_heap_size > 0.9 * heap_size_limit;
}

/**
 * How many workers can run side by side that need so many bytes each; at least one. Half of what is
 * free is left to others.
 */
export function workersThatFit(bytesEach: number): number {
  const free = process.availableMemory?.() ?? freemem();
  return Math.max(1, Math.min(availableParallelism(), Math.floor(free / 2 / bytesEach)));
}
