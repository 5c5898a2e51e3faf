import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  quadCompare,
  quadFromInteger,
  quadFromNumber,
  quadOperation,
  quadRound,
  quadSquareRoot,
  quadToInteger,
  quadToNumber,
} from './quad.js';

const settings = { seed: 7, numRuns: 500 } as const;
const number = fc.double();

test('a double converts to a quad and back unchanged, and compares in the same way', () => {
  fc.assert(
    fc.property(number, number, (a, b) => {
      expect(quadToNumber(quadFromNumber(a), 64)).toBe(a);
      const order = quadCompare(quadFromNumber(a), quadFromNumber(b));
      expect([order < 0, order === 0, order > 0]).toEqual([a < b, a === b, a > b]);
      expect(quadToNumber(quadFromNumber(a), 32)).toBe(Math.fround(a));
    }),
    settings,
  );
});

test('results are those of double where 113 bits are enough to round once', () => {
  // Rounding to 113 bits and then to 53 is rounding to 53 (113 >= 2 * 53 + 2).
  fc.assert(
    fc.property(number, number, (a, b) => {
      const [x, y] = [quadFromNumber(a), quadFromNumber(b)];
      const result = (op: string): number => quadToNumber(quadOperation(op, x, y), 64);
      const isNormal = (value: number): boolean =>
        Math.abs(value) > 1e-300 || value === 0 || Number.isNaN(value);
      for (const [op, expected] of [
        ['fadd', a + b],
        ['fsub', a - b],
        ['fmul', a * b],
        ['fdiv', a / b],
      ] as const)
        if (isNormal(expected)) expect(result(op)).toBe(expected);
      expect(result('frem')).toBe(a % b);
    }),
    settings,
  );
});

test('integers up to 113 bits are exact', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(1n << 113n), max: 1n << 113n }), n => {
      expect(quadToInteger(quadFromInteger(n))).toBe(n);
    }),
    settings,
  );
  // 1 / 3, as gcc has it.
  expect(quadOperation('fdiv', quadFromNumber(1), quadFromNumber(3))).toBe(
    0x3ffd5555555555555555555555555555n,
  );
});

test('rounding and roots are those of double', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        number,
        fc.integer({ min: -9, max: 9 }).map(n => n / 2),
      ),
      a => {
        const rounded = (rounding: Parameters<typeof quadRound>[1]): number =>
          quadToNumber(quadRound(quadFromNumber(a), rounding), 64);
        expect(rounded('floor')).toBe(Math.floor(a));
        expect(rounded('ceil')).toBe(Math.ceil(a));
        expect(rounded('trunc')).toBe(Math.trunc(a));
        if (Math.abs(a) < 2 ** 50) {
          expect(Math.abs(rounded('round'))).toBe(Math.floor(Math.abs(a) + 0.5));
          const even = rounded('even');
          expect(Math.abs(even - a)).toBeLessThanOrEqual(0.5);
          if (Math.abs(even - a) === 0.5) expect(Math.abs(even % 2)).toBe(0);
        }
        expect(quadToNumber(quadSquareRoot(quadFromNumber(a)), 64)).toBe(Math.sqrt(a));
      },
    ),
    settings,
  );
});
