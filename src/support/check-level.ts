/**
 * The cost levels of invariant checkers. Every data structure with invariants has a checker beside
 * it that throws `InternalError` when one is broken; tests run it at the level they can afford.
 *
 *   1  constant time: counters against each other, safe after every operation
 *   2  one walk over the structure: every node's own invariants, safe every few operations
 *   3  everything, by a second way to the same answer: sorting, comparing pairs, recounting
 */
export type CheckLevel = 1 | 2 | 3;
