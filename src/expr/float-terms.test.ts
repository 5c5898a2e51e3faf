/**
 * Float terms against JavaScript's own floats, on random and special bits, through the evaluator.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../support/random.js';
import { evaluate } from './evaluate.js';
import { floatAdd, floatDivide, floatMultiply, floatSquareRoot, floatSubtract } from './float-arithmetic.js';
import {
  floatFromFloat,
  floatFromInteger,
  floatToWhole,
  integerFromFloat,
  type WholeRounding,
} from './float-rounding.js';
import {
  DOUBLE,
  type FloatFormat,
  type FloatOrder,
  floatAbsolute,
  floatComparison,
  floatCopySign,
  floatExtreme,
  floatNegate,
  isOfFloatClass,
  SINGLE,
} from './float-terms.js';
import type { Term } from './term.js';
import { Terms } from './terms.js';

const view = new DataView(new ArrayBuffer(8));

function toNumber(format: FloatFormat, bits: bigint): number {
  if (format === SINGLE) {
    view.setUint32(0, Number(bits));
    return view.getFloat32(0);
  }
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

/** The bits of the float next to a number; one kind of NaN. */
function toBits(format: FloatFormat, x: number): bigint {
  if (format === SINGLE) view.setFloat32(0, x);
  else view.setFloat64(0, x);
  const bits = format === SINGLE ? BigInt(view.getUint32(0)) : view.getBigUint64(0);
  return Number.isNaN(x) ? (format === SINGLE ? 0x7fc00000n : 0x7ff8000000000000n) : bits;
}

/**
 * Bits that exercise every case: ends of ranges, halves, powers of two and their neighbours, random
 * ones and random ones near to another.
 */
function samples(format: FloatFormat, random: Random, count: number): bigint[] {
  const { bits, exponentBits, fractionBits, bias } = format;
  const pack = (sign: number, exponent: number, fraction: bigint): bigint =>
    (BigInt(sign) << BigInt(bits - 1)) | (BigInt(exponent) << BigInt(fractionBits)) | fraction;
  const top = 2 ** exponentBits - 1;
  const ones = (1n << BigInt(fractionBits)) - 1n;
  const special = [0, 1, 2, bias - 2, bias - 1, bias, bias + 1, bias + 3, bias + fractionBits, top - 1, top]
    .flatMap(exponent =>
      [0n, 1n, ones, ones >> 1n, (ones >> 1n) + 1n, (ones >> 1n) + 2n].map(
        fraction => [exponent, fraction] as const,
      ),
    )
    .flatMap(([exponent, fraction]) => [pack(0, exponent, fraction), pack(1, exponent, fraction)]);
  const randomBits = (): bigint =>
    (BigInt(random.below(2 ** 31)) << 33n) ^
    (BigInt(random.below(2 ** 31)) << 16n) ^
    BigInt(random.below(2 ** 17));
  const others = Array.from({ length: count }, (_, i) => {
    const fraction =
      randomBits() & ones & (i % 3 === 0 ? ~((1n << BigInt(random.below(fractionBits))) - 1n) : ones);
    const exponent = i % 2 === 0 ? random.below(top + 1) : bias - 8 + random.below(fractionBits + 16);
    return pack(random.below(2), exponent, fraction);
  });
  return [...special, ...others];
}

const formats = [
  ['float', SINGLE],
  ['double', DOUBLE],
] as const;

/** The term of variables has the expected value whatever their values are. */
function holds(
  build: (t: Terms, ...operands: Term[]) => Term,
  widths: readonly number[],
  values: Iterable<readonly bigint[]>,
  expected: (...values: bigint[]) => bigint,
): void {
  const t = new Terms();
  const term = build(t, ...widths.map((width, i) => t.variable(`x${i}`, width)));
  for (const given of values) {
    const variables = new Map(given.map((value, i) => [`x${i}`, t.constant(widths[i]!, value).value]));
    const got = BigInt(evaluate(term, { variables, arrays: new Map() }));
    const wanted = expected(...given);
    if (got !== wanted)
      expect(`${given.map(x => x.toString(16))} -> ${got.toString(16)}`).toBe(
        `${given.map(x => x.toString(16))} -> ${wanted.toString(16)}`,
      );
  }
}

function* pairs(random: Random, values: readonly bigint[], count: number): Generator<[bigint, bigint]> {
  for (let i = 0; i < count; i++) {
    const a = values[random.below(values.length)]!;
    // Numbers that are near to each other cancel out.
    const b = i % 3 === 0 ? a ^ BigInt(random.below(16)) : values[random.below(values.length)]!;
    yield i % 6 === 0 ? [a, b ^ (a > 2n ** 40n ? 1n << 63n : 1n << 31n)] : [a, b];
  }
}

describe.each(formats)('%s', (name, format) => {
  const random = new Random(name === 'float' ? 7 : 8);
  const values = samples(format, random, 200);
  const singles = values.map(value => [value] as const);
  const masked = [...pairs(random, values, 800)].map(pair => pair.map(x => BigInt.asUintN(format.bits, x)));
  const number = (bits: bigint): number => toNumber(format, bits);
  const fix = (x: number): bigint => toBits(format, x);
  const both = [format.bits, format.bits];

  test.each([
    ['sum', floatAdd, (a: number, b: number) => a + b],
    ['difference', floatSubtract, (a: number, b: number) => a - b],
    ['product', floatMultiply, (a: number, b: number) => a * b],
    ['quotient', floatDivide, (a: number, b: number) => a / b],
  ])('%s', (_name, build, compute) => {
    holds(
      (t, a, b) => build(t, format, a!, b!),
      both,
      masked,
      (a, b) => fix(compute(number(a), number(b))),
    );
  });

  test('products and quotients with constants', () => {
    for (const constant of [2, 0.5, -1, 100, 1.8, 0.1, 2 ** -126, 2 ** 127, Number.POSITIVE_INFINITY, 0]) {
      const of = (t: Terms): Term => t.constant(format.bits, fix(constant));
      const exact = number(fix(constant));
      holds(
        (t, x) => floatMultiply(t, format, x!, of(t)),
        [format.bits],
        singles,
        x => fix(number(x) * exact),
      );
      holds(
        (t, x) => floatDivide(t, format, x!, of(t)),
        [format.bits],
        singles,
        x => fix(number(x) / exact),
      );
    }
  });

  test('square root', () => {
    holds(
      (t, x) => floatSquareRoot(t, format, x!),
      [format.bits],
      singles,
      x => fix(Math.sqrt(number(x))),
    );
  });

  test('comparisons', () => {
    const orders: Record<string, (a: number, b: number) => boolean> = {
      oeq: (a, b) => a === b,
      one: (a, b) => a < b || a > b,
      olt: (a, b) => a < b,
      ole: (a, b) => a <= b,
      ogt: (a, b) => a > b,
      oge: (a, b) => a >= b,
      ord: (a, b) => !Number.isNaN(a) && !Number.isNaN(b),
      false: () => false,
    };
    const opposites: Record<string, string> = {
      oeq: 'une',
      one: 'ueq',
      olt: 'uge',
      ole: 'ugt',
      ogt: 'ule',
      oge: 'ult',
      ord: 'uno',
      false: 'true',
    };
    for (const [order, compute] of Object.entries(orders)) {
      const of =
        (which: string) =>
        (t: Terms, a?: Term, b?: Term): Term =>
          floatComparison(t, which as FloatOrder, format, a!, b!);
      holds(of(order), both, masked, (a, b) => (compute(number(a), number(b)) ? 1n : 0n));
      holds(of(opposites[order]!), both, masked, (a, b) => (compute(number(a), number(b)) ? 0n : 1n));
    }
  });

  test('signs, classes, extremes', () => {
    const sign = 1n << BigInt(format.bits - 1);
    holds(
      (t, x) => floatNegate(t, x!),
      [format.bits],
      singles,
      x => x ^ sign,
    );
    holds(
      (t, x) => floatAbsolute(t, x!),
      [format.bits],
      singles,
      x => x & ~sign,
    );
    holds(
      (t, x, y) => floatCopySign(t, x!, y!),
      both,
      masked,
      (x, y) => (x & ~sign) | (y & sign),
    );
    const least = format === SINGLE ? 2 ** -126 : 2 ** -1022;
    const classOf = (bits: bigint): number => {
      const x = number(bits);
      if (Number.isNaN(x)) return (bits >> BigInt(format.fractionBits - 1)) & 1n ? 1 : 0;
      const size = Math.abs(x);
      const which = size === Number.POSITIVE_INFINITY ? 0 : size >= least ? 1 : size > 0 ? 2 : 3;
      return bits & sign ? 2 + which : 9 - which;
    };
    for (let bit = 0; bit < 10; bit++)
      holds(
        (t, x) => isOfFloatClass(t, format, x!, 1 << bit),
        [format.bits],
        singles,
        x => (classOf(x) === bit ? 1n : 0n),
      );
    const numbers = masked.filter(pair => pair.every(x => !Number.isNaN(number(x))));
    for (const kind of ['other', 'itself'] as const) {
      holds(
        (t, a, b) => floatExtreme(t, format, 'least', kind, a!, b!),
        both,
        numbers,
        (a, b) => fix(Math.min(number(a), number(b))),
      );
      holds(
        (t, a, b) => floatExtreme(t, format, 'greatest', kind, a!, b!),
        both,
        numbers,
        (a, b) => fix(Math.max(number(a), number(b))),
      );
    }
    const none = fix(Number.NaN);
    const some = singles.filter(([x]) => !Number.isNaN(number(x)));
    holds(
      (t, x) => floatExtreme(t, format, 'least', 'other', x!, t.constant(format.bits, none)),
      [format.bits],
      some,
      x => x,
    );
    holds(
      (t, x) => floatExtreme(t, format, 'least', 'itself', x!, t.constant(format.bits, none)),
      [format.bits],
      some,
      () => none,
    );
  });

  test.each<[WholeRounding, (x: number) => number]>([
    ['floor', Math.floor],
    ['ceil', Math.ceil],
    ['trunc', Math.trunc],
    [
      'away',
      x =>
        Math.abs(x) < 2 ** 52
          ? Math.sign(x) * Math.floor(Math.abs(x) + (Math.abs(x) === 0.49999999999999994 ? 0 : 0.5))
          : x,
    ],
    ['even', x => (Math.abs(x) < 2 ** 52 ? x + Math.sign(x) * 2 ** 52 - Math.sign(x) * 2 ** 52 : x)],
  ])('to a whole number: %s', (rounding, compute) => {
    const some = singles.filter(([x]) => !Number.isNaN(number(x)));
    const sign = 1n << BigInt(format.bits - 1);
    holds(
      (t, x) => floatToWhole(t, format, rounding, x!),
      [format.bits],
      some,
      x => (fix(compute(number(x))) & ~sign) | (x & sign),
    );
  });

  test.each([8, 16, 32, 64])('to and from integers of %i bits', bits => {
    const limit = 2 ** (bits - 1);
    const fits = singles.filter(([x]) => Math.trunc(number(x)) >= -limit && Math.trunc(number(x)) < limit);
    holds(
      (t, x) => integerFromFloat(t, format, x!, bits),
      [format.bits],
      fits,
      x => BigInt.asUintN(bits, BigInt(Math.trunc(number(x)))),
    );
    const positive = singles.filter(([x]) => Math.trunc(number(x)) >= 0 && Math.trunc(number(x)) < 2 * limit);
    holds(
      (t, x) => integerFromFloat(t, format, x!, bits),
      [format.bits],
      positive,
      x => BigInt(Math.trunc(number(x))),
    );
    const integers = [
      0n,
      1n,
      2n,
      (1n << 53n) + 1n,
      (1n << 24n) + 1n,
      -1n,
      -2n,
      ...values,
      ...values.map(x => x >> 20n),
    ].map(x => [BigInt.asUintN(bits, x)] as const);
    // A double of 64 bits would be rounded before a float is: their lower bits are put into one.
    const sticky = (x: bigint): bigint =>
      x < 0n ? -sticky(-x) : x < 1n << 40n ? x : ((x >> 10n) << 10n) | (x & 1023n ? 512n : 0n);
    const convert = (x: bigint): bigint => fix(Number(format === SINGLE ? sticky(x) : x));
    holds((t, x) => floatFromInteger(t, format, x!, false), [bits], integers, convert);
    holds(
      (t, x) => floatFromInteger(t, format, x!, true),
      [bits],
      integers,
      x => convert(BigInt.asIntN(bits, x)),
    );
  });
});

test('float to double and back', () => {
  const random = new Random(9);
  const floats = samples(SINGLE, random, 500).filter(x => !Number.isNaN(toNumber(SINGLE, x)));
  const doubles = samples(DOUBLE, random, 500)
    .concat(floats.map(x => toBits(DOUBLE, toNumber(SINGLE, x)) ^ BigInt(random.below(2) << 28)))
    .filter(x => !Number.isNaN(toNumber(DOUBLE, x)));
  holds(
    (t, x) => floatFromFloat(t, DOUBLE, SINGLE, x!),
    [32],
    floats.map(x => [x]),
    x => toBits(DOUBLE, toNumber(SINGLE, x)),
  );
  holds(
    (t, x) => floatFromFloat(t, SINGLE, DOUBLE, x!),
    [64],
    doubles.map(x => [x]),
    x => toBits(SINGLE, toNumber(DOUBLE, x)),
  );
  const t = new Terms();
  const converted = (to: FloatFormat, from: FloatFormat, bits: bigint): bigint =>
    BigInt(floatFromFloat(t, to, from, t.constant(from.bits, bits)).value);
  expect(converted(DOUBLE, SINGLE, 0xff812345n)).toBe(0xfff82468a0000000n);
  expect(converted(SINGLE, DOUBLE, 0x7ff0000000000001n)).toBe(0x7fc00000n);
});
