/**
 * Floats through the solver: inputs with a given result are found, and are right; impossible ones
 * are refused.
 */
import { expect, test } from 'vitest';
import { floatAdd, floatDivide, floatMultiply, floatSquareRoot } from '../expr/float-arithmetic.js';
import { floatFromInteger, integerFromFloat } from '../expr/float-rounding.js';
import { DOUBLE, type FloatFormat, floatComparison, SINGLE } from '../expr/float-terms.js';
import type { Term } from '../expr/term.js';
import { Terms } from '../expr/terms.js';
import { Solver } from './solver.js';

const view = new DataView(new ArrayBuffer(8));

function constant(t: Terms, { bits }: FloatFormat, x: number): Term {
  if (bits === 32) view.setFloat32(0, x);
  else view.setFloat64(0, x);
  return t.constant(bits, bits === 32 ? view.getUint32(0) : view.getBigUint64(0));
}

function toNumber({ bits }: FloatFormat, value: number | bigint): number {
  if (bits === 32) view.setUint32(0, Number(value));
  else view.setBigUint64(0, BigInt(value));
  return bits === 32 ? view.getFloat32(0) : view.getFloat64(0);
}

type Compute = (x: number, y: number) => number;

test.each<[string, FloatFormat, (t: Terms, f: FloatFormat, x: Term, y: Term) => Term, Compute, number]>([
  ['x + y = 7.1', SINGLE, floatAdd, (x, y) => Math.fround(x + y), Math.fround(7.1)],
  ['x + y = 7.1', DOUBLE, floatAdd, (x, y) => x + y, 7.1],
  ['x * y = 0.1', SINGLE, floatMultiply, (x, y) => Math.fround(x * y), Math.fround(0.1)],
  ['x * y = 0.1', DOUBLE, floatMultiply, (x, y) => x * y, 0.1],
  ['x / y = 7', SINGLE, floatDivide, (x, y) => Math.fround(x / y), 7],
  ['sqrt x = 1.5', DOUBLE, (t, f, x) => floatSquareRoot(t, f, x), x => Math.sqrt(x), 1.5],
])('%s', async (_name, format, build, compute, wanted) => {
  const t = new Terms();
  const solver = await Solver.create(t);
  const [x, y] = [t.variable('x', format.bits), t.variable('y', format.bits)];
  const one = constant(t, format, 1);
  const outcome = solver.check([
    t.eq(build(t, format, x, y), constant(t, format, wanted)),
    floatComparison(t, 'ogt', format, x, one),
  ]);
  expect(outcome.kind).toBe('sat');
  if (outcome.kind !== 'sat') return;
  const [a, b] = [x, y].map(variable => toNumber(format, outcome.model.value(variable)));
  expect(a).toBeGreaterThan(1);
  expect(compute(a!, b!)).toBe(wanted);
});

test('finds all bytes n for which the integer part of n / 100 * 100 is not n', async () => {
  const t = new Terms();
  const solver = await Solver.create(t);
  const n = t.variable('n', 8);
  const product = floatMultiply(
    t,
    DOUBLE,
    floatDivide(t, DOUBLE, floatFromInteger(t, DOUBLE, n, false), constant(t, DOUBLE, 100)),
    constant(t, DOUBLE, 100),
  );
  const whole = integerFromFloat(t, DOUBLE, product, 32);
  const expected = Array.from({ length: 256 }, (_, i) => i).filter(i => Math.trunc((i / 100) * 100) !== i);
  const found: number[] = [];
  const constraints = [t.ne(whole, t.zext(n, 32))];
  for (;;) {
    const outcome = solver.check(constraints);
    if (outcome.kind !== 'sat') break;
    const value = Number(outcome.model.value(n));
    found.push(value);
    constraints.push(t.ne(n, t.constant(8, value)));
  }
  expect(found.sort((a, b) => a - b)).toEqual(expected);
});
