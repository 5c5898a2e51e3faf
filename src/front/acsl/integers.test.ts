/** Intervals contain the values that they bound: the choice of representations relies on it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ArithmeticOperator, fits, type Interval, magnitude, negated, resultOf } from './integers.js';

const interval: fc.Arbitrary<[Interval, bigint]> = fc
  .tuple(fc.bigInt(-70n, 70n), fc.bigInt(0n, 40n), fc.nat(1000))
  .map(([low, width, at]) => [{ low, high: low + width }, low + (width * BigInt(at)) / 1000n]);

const apply: Readonly<Record<ArithmeticOperator, (a: bigint, b: bigint) => bigint | undefined>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0n ? undefined : a / b),
  '%': (a, b) => (b === 0n ? undefined : a % b),
  '<<': (a, b) => (b < 0n ? undefined : a << b),
  '>>': (a, b) => (b < 0n ? undefined : a >> b),
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
};

test('a result lies in the interval of its operator', () => {
  const operators = fc.constantFrom(...(Object.keys(apply) as ArithmeticOperator[]));
  const property = fc.property(operators, interval, interval, (op, [left, a], [right, b]) => {
    const value = apply[op](a, b);
    if (value === undefined) return;
    const { low, high } = resultOf(op, left, right);
    expect(low === undefined || low <= value, `${a} ${op} ${b}: ${low} <= ${value}`).toBe(true);
    expect(high === undefined || high >= value, `${a} ${op} ${b}: ${value} <= ${high}`).toBe(true);
  });
  fc.assert(property, { seed: 5, numRuns: 5000 });
});

test('so does the result of a negation and of a magnitude', () => {
  const property = fc.property(interval, ([bounds, value]) => {
    expect(fits({ low: -value, high: -value }, negated(bounds))).toBe(true);
    const size = value < 0n ? -value : value;
    expect(fits({ low: size, high: size }, magnitude(bounds))).toBe(true);
  });
  fc.assert(property, { seed: 5, numRuns: 2000 });
});
