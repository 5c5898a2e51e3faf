// Counts the bytes of a program's linear memory that were touched, for `bench:check`.
// Linux only.
//
// V8 puts linear memory between two guard regions of gigabytes:
//
//   ---p  2 GiB     rw-p  linear memory     ---p  4 to 8 GiB
//
// `/proc/self/pagemap` has eight bytes for each page, whose highest bit says that the page is
// present. A read of a page that was never touched does not make it resident, so the figure is at
// least that of the system.
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';

const pageBytes = 4096;
const pagesAtOnce = 1 << 16;
const leastGuardBytes = 2 ** 31;

/** @typedef {{ start: number, end: number, access: string }} Range */

export const canCountPages = existsSync('/proc/self/pagemap');

/**
 * For each range `[from, to)` of linear memory, the touched bytes; undefined while no program has a
 * memory.
 * @param {readonly (readonly [from: number, to: number])[]} ranges
 */
export function touchedBytes(ranges) {
  const memory = linearMemory();
  if (memory === undefined) return undefined;
  const pagemap = openSync('/proc/self/pagemap', 'r');
  /** @param {number} offset */
  const within = offset => Math.min(memory.start + offset, memory.end);
  const touched = ranges.map(([from, to]) => pagesThere(pagemap, within(from), within(to)) * pageBytes);
  closeSync(pagemap);
  return touched;
}

function linearMemory() {
  const ranges = readFileSync('/proc/self/maps', 'utf8')
    .split('\n')
    .map(line => /^([0-9a-f]+)-([0-9a-f]+) (\S+)/.exec(line))
    .filter(match => match !== null)
    .map(([, start, end, access]) => ({ start: Number(`0x${start}`), end: Number(`0x${end}`), access }));
  return ranges.find(
    ({ access, start, end }, i) =>
      access.startsWith('rw') &&
      isGuard(ranges[i - 1], ({ end: before }) => before === start) &&
      isGuard(ranges[i + 1], ({ start: after }) => after === end),
  );
}

/**
 * @param {Range | undefined} range
 * @param {(range: Range) => boolean} isNeighbour
 */
function isGuard(range, isNeighbour) {
  return range?.access.startsWith('---') && range.end - range.start >= leastGuardBytes && isNeighbour(range);
}

/**
 * @param {number} pagemap
 * @param {number} start
 * @param {number} end
 */
function pagesThere(pagemap, start, end) {
  const entries = Buffer.alloc(8 * pagesAtOnce);
  let there = 0;
  for (let at = start; at < end; at += pagesAtOnce * pageBytes) {
    const pages = Math.min(pagesAtOnce, (end - at) / pageBytes);
    const read = readSync(pagemap, entries, 0, pages * 8, (at / pageBytes) * 8);
    for (let i = 7; i < read; i += 8) if (entries[i] & 0x80) there++;
  }
  return there;
}
