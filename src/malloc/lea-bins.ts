/**
 * Which list a free chunk waits in: the bins of Doug Lea's malloc, as all his descendants have
 * them.
 *
 *     index   2 … 63        64 … 96     97 … 111    112 … 120   121 … 123   124 … 125   126
 *     holds   one size,     64 bytes    512 bytes   4 KiB       32 KiB      256 KiB     the rest
 *             16 apart      apart       apart       apart       apart       apart
 *
 * Bins of one size need no order; the others are kept sorted, so that the first that fits is the
 * best. Bin 1 is for chunks that wait to be sorted. A bit map of 128 bits says which bins may hold
 * something: a set bit may be out of date, a clear one never is.
 */

export const BINS = 128;
export const UNSORTED = 1;
/** Smaller chunks have a bin for their exact size. */
export const LARGE = 1024;

/** For chunk sizes that are multiples of 16, at least 16. */
export function binOf(size: number): number {
  if (size < LARGE) return size >> 4;
  if (size >> 6 <= 48) return 48 + (size >> 6);
  if (size >> 9 <= 20) return 91 + (size >> 9);
  if (size >> 12 <= 10) return 110 + (size >> 12);
  if (size >> 15 <= 4) return 119 + (size >> 15);
  if (size >> 18 <= 2) return 124 + (size >> 18);
  return 126;
}

/** The first bin from `from` on whose bit is set in the four words at `map`, or BINS. */
export function nextMarked(words: Int32Array, map: number, from: number): number {
  let block = from >> 5;
  if (block > 3) return BINS;
  let bits = words[map + block]! & (-1 << (from & 31));
  while (bits === 0) {
    if (++block > 3) return BINS;
    bits = words[map + block]!;
  }
  return (block << 5) + (31 - Math.clz32(bits & -bits));
}
