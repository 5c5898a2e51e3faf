/**
 * For tests: random constraint sets.
 */
import type { Term } from '../expr/term.js';
import type { Terms } from '../expr/terms.js';
import { type Leaves, randomTwin } from '../expr/testing.js';
import { Random } from '../support/random.js';

/** Bytes of an input, a word of them, and variables of several widths; an input and a table to read from. */
export function smallLeaves(t: Terms): Leaves {
  const input = t.symbolicArray('input', 8);
  const table = Uint8Array.from({ length: 16 }, (_, i) => (i * 51) & 255);
  const bytes = [0, 1, 2, 3].map(i => t.read(input, t.constant(32, i)));
  const word = t.concat(bytes[3]!, t.concat(bytes[2]!, t.concat(bytes[1]!, bytes[0]!)));
  const variables = [t.variable('n', 32), t.variable('m', 16), t.variable('k', 4), t.variable('flag', 1)];
  return {
    terms: [...bytes, ...bytes, word, ...variables].map(term => ({ term, value: 0n })),
    arrays: [
      { array: input, bytes: new Uint8Array(8) },
      { array: t.constantArray(table), bytes: table },
    ],
  };
}

/** Sets of one to five random constraints, some of which exclude each other. */
export function randomSets(t: Terms, seed: number, count: number): Term[][] {
  const random = new Random(seed);
  const leaves = smallLeaves(t);
  const pool: Term[] = [];
  while (pool.length < count) {
    const { term } = randomTwin(t, random, leaves, 1, 3);
    if (!term.isConst) pool.push(random.below(2) === 0 ? term : t.not(term));
  }
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + random.below(5) }, () => pool[random.below(pool.length)]!),
  );
}
