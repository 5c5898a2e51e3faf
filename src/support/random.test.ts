import { expect, test } from 'vitest';
import { Random } from './random.js';

test('the same seed gives the same numbers, another seed others', () => {
  const draw = (seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: 8 }, () => random.uint32());
  };
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
});

test('below(bound) stays below and reaches every value', () => {
  const random = new Random(7);
  const seen = new Set(Array.from({ length: 1000 }, () => random.below(10)));
  expect([...seen].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
