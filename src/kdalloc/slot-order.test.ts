import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexOf, positionOf, usableSlots } from './slot-order.js';

/**
 * The same order by walking a real tree: level by level, alternately from the left and from the
 * right.
 */
function orderByTree(slots: number): number[] {
  const order: number[] = [];
  let spaces: [from: number, to: number][] = [[0, slots]];
  while (spaces.length > 0 && spaces[0]![1] - spaces[0]![0] > 2) {
    const middles = spaces.map(([from, to]) => (from + to) / 2);
    spaces = spaces.flatMap(([from, to]) => [
      [from, (from + to) / 2],
      [(from + to) / 2, to],
    ]);
    while (middles.length > 0) {
      order.push(middles.shift()!);
      if (middles.length > 0) order.push(middles.pop()!);
    }
  }
  return order;
}

describe('slot order', () => {
  test('sixteen slots are used as in the KDALLOC paper', () => {
    expect(Array.from({ length: usableSlots(4) }, (_, i) => positionOf(i, 4))).toEqual([
      8, 4, 12, 2, 14, 6, 10,
    ]);
  });

  test.each([2, 3, 4, 5, 8, 12])('2^%i slots: the arithmetic agrees with the walk over the tree', levels => {
    const order = Array.from({ length: usableSlots(levels) }, (_, index) => positionOf(index, levels));
    expect(order).toEqual(orderByTree(2 ** levels));
    const used = new Set(order);
    for (let position = 0; position < 2 ** levels; position++) {
      const index = indexOf(position, levels);
      if (used.has(position)) expect(order[index]).toBe(position);
      else expect(index).toBe(-1);
    }
  });

  test('index and position are inverse in bins of every size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 44 }), fc.nat({ max: 2 ** 30 - 2 }), (levels, any) => {
        const index = any % usableSlots(levels);
        const position = positionOf(index, levels);
        expect(Number.isInteger(position) && position > 0 && position < 2 ** levels).toBe(true);
        expect(indexOf(position, levels)).toBe(index);
      }),
      { seed: 6, numRuns: 2000 },
    );
  });

  test('the distance guarantee of the KDALLOC paper: m slots in use are n / 2^ceil(log2(m + 1)) - 1 apart', () => {
    for (const levels of [3, 6, 10]) {
      const slots = 2 ** levels;
      const ends = [-1, slots];
      for (let used = 1; used <= usableSlots(levels); used++) {
        ends.push(positionOf(used - 1, levels));
        const sorted = ends.toSorted((a, b) => a - b);
        const gaps = sorted.slice(1).map((end, i) => end - sorted[i]! - 1);
        // The slots before the first one in use begin at the start of the bin, so that gap is a
        // whole one.
        expect(Math.min(...gaps)).toBeGreaterThanOrEqual(slots / 2 ** Math.ceil(Math.log2(used + 1)) - 1);
        expect(Math.min(...gaps)).toBeGreaterThan(0);
      }
    }
  });
});
