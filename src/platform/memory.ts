/** How much memory this process has, and how much it may have. */
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
