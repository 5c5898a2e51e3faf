/**
 * The order in which the slots of a bin are used, as arithmetic in both directions.
 *
 * A bin of n = 2^levels slots is an implicit binary tree: its root is the middle slot, and every
 * node splits the space that its parent left it. Slots are used level by level, and within a level
 * from the outside to the inside, so that neighbours in time are far apart and no long ascending
 * runs appear:
 *
 *   position   0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15        n = 16, levels = 4
 *   level 0                            0
 *   level 1                1                       2
 *   level 2          3           5           6           4           numbers are the indices
 *
 * *Position* counts slots from the start of the bin; *index* counts in order of use. A node of
 * level L sits at (2 j + 1) · n / 2^(L+1), where j = 0 … 2^L - 1 counts from the left. So the level
 * follows from the number of trailing zeros of the position, or by the length of index + 1, and the
 * two directions are a few instructions.
 *
 * The deepest level, the odd positions, is never used, and position 0 is not a node: hence between
 * two slots in use, and between them and the ends of the bin, at least one slot stays free. As long
 * as indices below m are used, the distance is at least n / 2^ceil(log2(m + 1)) - 1 slots (paper,
 * §5.4; tested as a property).
 *
 * Indices stay below 2^30 - 1, so that they are small integers for every JavaScript engine; a bin
 * with more slots uses its thirty upper levels only.
 */

const MOST_LEVELS = 30;
/** The slots of the bin that positions are scaled to. */
export const NODES: number = 2 ** (MOST_LEVELS + 1);

/** 2^k for k = 0 … 63: exact, and cheaper than `**`. */
const power = Float64Array.from({ length: 64 }, (_, k) => 2 ** k);
/** By levels, what a slot is worth in a bin of 2^31 slots. */
const perSlot = Float64Array.from({ length: 64 }, (_, levels) => NODES / 2 ** levels);

/** The levels that are used in a bin of 2^levels slots. */
export function usableLevels(levels: number): number {
  return Math.min(levels - 1, MOST_LEVELS);
}

/**
 * How many slots of a bin of 2^levels slots can be in use at a time: the indices below this are
 * valid.
 */
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

/**
 * The index of a position, or -1 if slots at this position are never used. Requires 0 <= position <
 * 2^levels.
 */
export function indexOf(position: number, levels: number): number {
  const node = position * perSlot[levels]!;
  return Number.isInteger(node) ? indexOfNode(node, usableLevels(levels)) : -1;
}

/**
 * The same for a position that was scaled to a bin of 2^31 slots, of which `levels` levels are
 * used: one integer then holds it whatever the bin, and what would be lost below it is deeper than
 * the thirty levels. Left and right are chosen by a mask, because addresses come in no order, and a
 * branch that is mispredicted every other time costs more than the rest.
 */
export function indexOfNode(node: number, usable: number): number {
  const level = Math.clz32(node & -node) - 1;
  // Node 0 does not exist; its level would be 31.
  if (level >= usable) return -1;
  const width = 1 << level;
  const twiceFromLeft = (node >> (30 - level)) ^ 1;
  const onRight = (width - 1 - twiceFromLeft) >> 31;
  // On the left 2 fromLeft; on the right 2 (width - 1 - fromLeft) + 1.
  const rank = (twiceFromLeft ^ onRight) + ((2 * width) & onRight);
  return width - 1 + rank;
}
