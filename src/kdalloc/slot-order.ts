/**
 * The order in which the slots of a bin are used, as arithmetic in both directions.
 *
 * A bin of n = 2^levels slots is seen as a binary tree that exists only in thought: its root is the middle slot,
 * and every node splits the space that its parent left it. Slots are used level by level, and within a level from
 * the outside to the inside, so that neighbours in time are far apart and no long ascending runs appear:
 *
 *   position   0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15        n = 16, levels = 4
 *   level 0                            0
 *   level 1                1                       2
 *   level 2          3           5           6           4           numbers are the indices
 *
 * *Position* counts slots from the start of the bin; *index* counts in order of use. A node of level L sits at
 * (2 j + 1) · n / 2^(L+1), where j = 0 … 2^L - 1 counts from the left. So the level is told by the number of
 * trailing zeros of the position, or by the length of index + 1, and the two directions are a few instructions.
 *
 * The deepest level, the odd positions, is never used, and position 0 is no node: hence between two slots in use,
 * and between them and the ends of the bin, at least one slot stays free. As long as indices below m are used, the
 * distance is at least  n / 2^ceil(log2(m + 1)) - 1  slots (paper, §5.4; tested as a property).
 *
 * Indices stay below 2^30 - 1, so that they are small integers for every JavaScript engine; a bin with more slots
 * uses its thirty upper levels only.
 */

const MOST_LEVELS = 30;

/** 2^k for k = 0 … 63, and 2^-k: exact, and cheaper than `**`. */
const power = Float64Array.from({ length: 64 }, (_, k) => 2 ** k);
const inversePower = Float64Array.from({ length: 64 }, (_, k) => 2 ** -k);

/** The levels that are used in a bin of 2^levels slots. */
export function usableLevels(levels: number): number {
  return Math.min(levels - 1, MOST_LEVELS);
}

/** How many slots of a bin of 2^levels slots can be in use at a time: the indices below this are valid. */
export function usableSlots(levels: number): number {
  return 2 ** usableLevels(levels) - 1;
}

/** Requires 0 <= index < usableSlots(levels). */
export function positionOf(index: number, levels: number): number {
  const level = 31 - Math.clz32(index + 1);
  const width = 1 << level;
  const rank = index + 1 - width;
  const fromLeft = (rank & 1) === 0 ? rank >> 1 : width - 1 - (rank >> 1);
  return (2 * fromLeft + 1) * power[levels - 1 - level]!;
}

/** The index of a position, or -1 if slots at this position are never used. Requires 0 <= position < 2^levels. */
export function indexOf(position: number, levels: number): number {
  if (position === 0) return -1;
  const zeros = trailingZeros(position);
  const level = levels - 1 - zeros;
  if (level >= levels - 1 || level >= MOST_LEVELS) return -1;
  // position / 2^zeros is odd, 2 fromLeft + 1; the level is below thirty, so the rest fits in an integer.
  const fromLeft = (position * inversePower[zeros + 1]!) | 0;
  const width = 1 << level;
  const rank = 2 * fromLeft < width ? 2 * fromLeft : 2 * (width - 1 - fromLeft) + 1;
  return width - 1 + rank;
}

/** Of a positive integer below 2^53. */
function trailingZeros(value: number): number {
  const low = value | 0;
  if (low !== 0) return 31 - Math.clz32(low & -low);
  const high = (value * inversePower[32]!) | 0;
  return 63 - Math.clz32(high & -high);
}
