/** Integers as floats of 32 bits, against the nearest of all candidates. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toSingle } from './value.js';

const words = new Uint32Array(1);
const single = new Float32Array(words.buffer);

/** The float whose bits are `step` further, for positive finite floats. */
function neighbour(value: number, step: number): number {
  single[0] = value;
  words[0] = words[0]! + step;
  return single[0]!;
}

/** The nearest float by exact distances; of two, the one with an even last bit. */
function nearest(value: bigint): number {
  const near = Math.fround(Number(value));
  const candidates = [near, neighbour(near, -1), neighbour(near, 1)].filter(Number.isFinite);
  const distance = (candidate: number): bigint => {
    const difference = BigInt(candidate) - value;
    return difference < 0n ? -difference : difference;
  };
  const isOdd = (candidate: number): number => {
    single[0] = candidate;
    return words[0]! & 1;
  };
  return candidates.sort((a, b) => {
    const [da, db] = [distance(a), distance(b)];
    return da < db ? -1 : da > db ? 1 : isOdd(a) - isOdd(b);
  })[0]!;
}

test('an integer is rounded to a float once', () => {
  const bits = fc.bigInt({ min: 1n << 54n, max: (1n << 127n) - 1n });
  // Near the middle between two floats, where rounding twice goes wrong.
  const middle = fc
    .tuple(fc.integer({ min: 1 << 23, max: (1 << 24) - 1 }), fc.integer({ min: 40, max: 100 }))
    .chain(([head, shift]) =>
      fc.constantFrom(-1n, 0n, 1n).map(nudge => (BigInt(2 * head + 1) << BigInt(shift)) + nudge),
    );
  fc.assert(
    fc.property(fc.oneof(bits, middle), value => {
      expect(toSingle(value)).toBe(nearest(value));
      expect(toSingle(-value)).toBe(-nearest(value));
    }),
    { seed: 128, numRuns: 2000 },
  );
});
