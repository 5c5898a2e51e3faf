/**
 * Random terms of 8 to 128 bits against the BigInt reference: construction, facts and evaluation at
 * once.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../support/random.js';
import { type Assignment, Evaluator, evaluate } from './evaluate.js';
import {
  BINARY_OPS,
  isComparison,
  type Leaves,
  randomConstant,
  randomTwin,
  referenceBinary,
  type Twin,
} from './random-terms-testing.js';
import { type BinaryOp, Op, type Term } from './term.js';
import { Terms } from './terms.js';
import { type BitVectorValue, toValue } from './value.js';

function randomLeaves(t: Terms, random: Random): { leaves: Leaves; assignment: Assignment } {
  const variables = new Map<string, BitVectorValue>();
  const terms = [1, 4, 8, 16, 32, 32, 53, 64, 64, 128].map((width, i) => {
    const value = randomConstant(random, width);
    const name = `v${i}`;
    variables.set(name, toValue(width, value));
    return { term: t.variable(name, width), value };
  });
  const bytes = Uint8Array.from({ length: 10 }, () => random.below(256));
  const table = Uint8Array.from({ length: 16 }, (_, i) => (i * i) & 255);
  const arrays = [
    { array: t.symbolicArray('input', 10), bytes },
    { array: t.constantArray(table), bytes: table },
  ];
  return { leaves: { terms, arrays }, assignment: { variables, arrays: new Map([['input', bytes]]) } };
}

function expectFacts(t: Terms, term: Term, value: bigint): void {
  const { id, width } = term;
  const { facts } = t;
  const signed = BigInt.asIntN(width, value);
  const words = { low: Number(BigInt.asIntN(32, value)), high: Number(BigInt.asIntN(32, value >> 32n)) };
  const holds =
    // Comparing a bigint with a double is exact in JavaScript.
    value >= facts.umin[id]! &&
    value <= facts.umax[id]! &&
    signed >= facts.smin[id]! &&
    signed <= facts.smax[id]! &&
    ((words.low ^ facts.onesLow[id]!) & facts.knownLow[id]!) === 0 &&
    ((words.high ^ facts.onesHigh[id]!) & facts.knownHigh[id]!) === 0;
  if (!holds) expect.fail(`facts of ${Op[term.op]} at width ${width} exclude ${value}`);
}

describe('random terms', () => {
  test.each([8, 16, 32, 33, 53, 64, 65, 128])('width %i: value and facts agree with the reference', width => {
    const random = new Random(width);
    for (let round = 0; round < 60; round++) {
      const t = new Terms();
      const { leaves, assignment } = randomLeaves(t, random);
      const evaluator = new Evaluator(assignment);
      for (let i = 0; i < 20; i++) {
        const { term, value } = randomTwin(t, random, leaves, width, 4);
        expect(BigInt(evaluator.value(term))).toBe(value);
        expectFacts(t, term, value);
      }
    }
  });

  test.each([8, 16, 31, 32, 53, 64])('width %i: comparisons of products and quotients', width => {
    const random = new Random(100 + width);
    const modulus = 1n << BigInt(width);
    for (let round = 0; round < 60; round++) {
      const t = new Terms();
      const variables = new Map<string, BitVectorValue>();
      /** A number of any size, as it is or extended from fewer bits. */
      const factor = (name: string): Twin => {
        const narrow = [width, Math.ceil(width / 2), 1 + random.below(width)][random.below(3)]!;
        const bits = randomConstant(random, narrow);
        variables.set(name, toValue(narrow, bits));
        const term = t.variable(name, narrow);
        if (random.below(2) === 0) return { term: t.zext(term, width), value: bits };
        return { term: t.sext(term, width), value: BigInt.asUintN(width, BigInt.asIntN(narrow, bits)) };
      };
      const constant = (value: bigint): Twin => ({ term: t.constant(width, value), value });
      const twin = (op: BinaryOp, a: Twin, b: Twin): Twin => ({
        term: t.binary(op, a.term, b.term),
        value: referenceBinary(op, width, a.value, b.value),
      });
      const x = factor('x');
      const y = [factor('y'), x, constant(randomConstant(random, width))][random.below(3)]!;
      const product = twin(Op.Mul, x, y);
      const subjects = [
        product,
        twin(Op.Udiv, x, y),
        twin(Op.Udiv, constant(modulus - 1n), y),
        ...([Op.Udiv, Op.Sdiv, Op.Urem, Op.Srem] as const).map(op => twin(op, product, y)),
      ];
      const evaluator = new Evaluator({ variables, arrays: new Map() });
      for (const subject of subjects) {
        const near = [0n, 1n, modulus - 1n].map(d => constant((subject.value + d) % modulus));
        for (const other of [...near, x, constant(randomConstant(random, width))]) {
          for (const op of [Op.Eq, Op.Ult, Op.Slt] as const) {
            for (const { term, value } of [twin(op, subject, other), twin(op, other, subject)]) {
              if (BigInt(evaluator.value(term)) !== value) expect.fail(`${Op[op]} of ${Op[subject.term.op]}`);
            }
          }
        }
      }
    }
  });

  test('every operator on corner values at 8 to 128 bits, folded and evaluated', () => {
    const random = new Random(3);
    const t = new Terms();
    for (const width of [8, 16, 31, 32, 33, 52, 53, 54, 63, 64, 65, 128]) {
      const x = t.variable(`x${width}`, width);
      const y = t.variable(`y${width}`, width);
      for (let i = 0; i < 200; i++) {
        const a = randomConstant(random, width);
        const b =
          i % 3 === 0
            ? BigInt(random.below(width + 2)) % (1n << BigInt(width))
            : randomConstant(random, width);
        const assignment: Assignment = {
          variables: new Map([
            [x.name, toValue(width, a)],
            [y.name, toValue(width, b)],
          ]),
          arrays: new Map(),
        };
        for (const op of BINARY_OPS) {
          const expected = referenceBinary(op, width, a, b);
          const folded = t.binary(op, t.constant(width, a), t.constant(width, b));
          const half = t.binary(op, x, t.constant(width, b));
          if (BigInt(folded.value) !== expected || folded.width !== (isComparison(op) ? 1 : width)) {
            expect.fail(`${Op[op]} ${a} ${b} at ${width} gave ${folded.value}`);
          }
          if (BigInt(evaluate(t.binary(op, x, y), assignment)) !== expected)
            expect.fail(`${Op[op]} ${a} ${b} evaluated`);
          if (BigInt(evaluate(half, assignment)) !== expected) expect.fail(`${Op[op]} ${a} ${b} half folded`);
          expectFacts(t, half, expected);
        }
      }
    }
  });
});

describe('hash-consing', () => {
  test('equal requests give the same object, and children are older than parents', () => {
    const t = new Terms();
    const x = t.variable('x', 32);
    const y = t.variable('y', 32);
    expect(t.add(x, y)).toBe(t.add(y, x));
    expect(t.sub(t.add(x, t.constant(32, 5)), t.constant(32, 5))).toBe(x);
    expect(t.constant(64, -1)).toBe(t.constant(64, 0xffff_ffff_ffff_ffffn));
    const product = t.mul(t.add(x, y), t.sub(x, y));
    expect(product.a.id < product.id && product.b.id < product.id).toBe(true);
  });

  test('a value has one representation whichever way it arrives', () => {
    const t = new Terms();
    expect(t.constant(64, 2n ** 53n - 1n).value).toBe(2 ** 53 - 1);
    expect(t.constant(64, 2 ** 53).value).toBe(2n ** 53n);
    expect(t.constant(33, -1).value).toBe(2 ** 33 - 1);
  });
});

describe('simplification rules', () => {
  const t = new Terms();
  const c = t.variable('c', 1);

  test('the low half of a choice between two KDALLOC addresses is a constant', () => {
    const choice = t.ite(c, t.constant(64, 0), t.constant(64, 0x0000_2244_0000_0000n));
    const address = t.add(t.constant(64, 0xffff_ddbc_0000_0000n), choice);
    expect(t.extract(address, 0, 32)).toBe(t.constant(32, 0));
  });

  test('with other addresses a choice of two constants is left', () => {
    const choice = t.ite(c, t.constant(64, 0), t.constant(64, 0x0000_5555_58d6_f400n));
    const low = t.extract(t.add(t.constant(64, 0xffff_aaaa_a729_0c00n), choice), 0, 32);
    expect(low).toBe(t.ite(c, t.constant(32, 0xa7290c00), t.constant(32, 0)));
  });

  test('a word stored as bytes and loaded again is the word', () => {
    const x = t.variable('x', 32);
    const y = t.variable('y', 32);
    const p = t.variable('p', 8);
    const words = [
      t.add(x, y),
      t.mul(x, t.constant(32, 7)),
      t.add(t.zext(p, 32), t.sext(t.variable('q', 8), 32)),
      t.ite(c, x, t.constant(32, 0x1234)),
      t.ite(c, t.constant(32, 0xff00ff), t.constant(32, 0x1234)),
      t.zext(t.add(p, p), 32),
      t.xor(x, y),
    ];
    for (const word of words) {
      const bytes = [0, 1, 2, 3].map(i => t.extract(word, 8 * i, 8));
      expect(t.concat(bytes[3]!, t.concat(bytes[2]!, t.concat(bytes[1]!, bytes[0]!)))).toBe(word);
    }
  });

  test('bytes assembled by shifting are the word that a load gives', () => {
    const input = t.symbolicArray('bytes', 4);
    const byte = (i: number) => t.read(input, t.constant(32, i));
    const loaded = t.concat(byte(3), t.concat(byte(2), t.concat(byte(1), byte(0))));
    const shifted = (i: number) => t.shl(t.zext(byte(i), 32), t.constant(32, 8 * i));
    expect(t.or(t.or(t.or(shifted(0), shifted(1)), shifted(2)), shifted(3))).toBe(loaded);
    expect(t.add(t.add(shifted(3), shifted(2)), t.add(shifted(1), shifted(0)))).toBe(loaded);
  });

  test('a product that is compared with a constant is solved', () => {
    const [x, y] = [t.variable('x', 32), t.variable('y', 32)];
    const is = (term: Term, value: number) => t.eq(term, t.constant(term.width, value));
    const long = t.sext(x, 64);
    expect(is(t.mul(long, long), 144)).toBe(t.or(is(x, 12), is(x, -12)));
    expect(is(t.mul(long, long), 145)).toBe(t.false);
    expect(is(t.mul(x, t.constant(32, 3)), 21)).toBe(is(x, 7));
    const product = t.mul(t.zext(x, 64), t.zext(y, 64));
    const [oneWay, other] = [t.and(is(x, 1), is(y, 7)), t.and(is(x, 7), is(y, 1))];
    expect(is(product, 7)).toBe(t.or(oneWay, other));
  });

  test('a product of a sum, of a product and of a quotient is rewritten', () => {
    const t = new Terms();
    const [x, y] = [t.variable('x', 32), t.variable('y', 32)];
    const n = (value: number) => t.constant(32, value);
    expect(t.mul(t.mul(x, n(3)), n(5))).toBe(t.mul(x, n(15)));
    expect(t.mul(t.add(x, n(3)), n(5))).toBe(t.add(t.mul(x, n(5)), n(15)));
    const rounded = t.sub(x, t.urem(x, y));
    expect([t.mul(t.udiv(x, y), y), t.mul(y, t.udiv(x, y))]).toEqual([rounded, rounded]);
    expect(t.mul(t.sdiv(x, y), y)).toBe(t.sub(x, t.srem(x, y)));
  });

  test('all forms of the overflow test of a product become one term', () => {
    const [x, y] = [t.variable('x', 32), t.variable('y', 32)];
    const [zero, ones] = [t.constant(32, 0), t.constant(32, -1)];
    const product = t.mul(t.zext(x, 64), t.zext(y, 64));
    const wraps = t.ne(t.extract(product, 32, 32), zero);
    expect(t.ult(t.zext(ones, 64), product)).toBe(wraps);
    expect(t.ult(t.udiv(ones, y), x)).toBe(wraps);
    const isUndone = t.eq(t.udiv(t.mul(x, y), y), x);
    expect(isUndone).toBe(t.ite(t.eq(y, zero), t.eq(x, ones), t.not(wraps)));
  });

  test('known facts decide branches on bytes', () => {
    const byte = t.read(t.symbolicArray('bytes', 4), t.constant(32, 0));
    const wide = t.zext(byte, 64);
    const digit = t.sub(wide, t.constant(64, 48));
    expect(t.ult(wide, t.constant(64, 256))).toBe(t.true);
    expect(t.slt(digit, t.constant(64, 208))).toBe(t.true);
    expect(t.slt(digit, t.constant(64, -48))).toBe(t.false);
    expect(t.eq(t.or(wide, t.constant(64, 1)), t.constant(64, 4))).toBe(t.false);
    expect(t.ult(t.urem(t.variable('n', 64), t.constant(64, 10)), t.constant(64, 10))).toBe(t.true);
  });
});

describe('depth', () => {
  test('terms fifty thousand deep are built, sliced and evaluated without recursion', () => {
    const t = new Terms();
    const x = t.variable('x', 32);
    const c = t.variable('c', 1);
    let sum = x;
    for (let i = 0; i < 50_000; i++)
      sum = i % 2 === 0 ? t.xor(sum, t.mul(x, sum)) : t.ite(c, sum, t.not(sum));
    const low = t.extract(sum, 0, 16);
    const evaluator = new Evaluator({ variables: new Map([['x', 3]]), arrays: new Map() });
    expect(evaluator.value(low)).toBe((evaluator.value(sum) as number) & 0xffff);
    expect(t.eq(sum, t.constant(32, 7)).op).toBe(Op.Eq);
  });

  test('a chain of a ten thousand writes is read through', () => {
    const t = new Terms();
    let array: ReturnType<Terms['write']> = t.symbolicArray('a', 200_000);
    for (let i = 0; i < 10_000; i++) array = t.write(array, t.constant(32, i), t.constant(8, i));
    expect(t.read(array, t.constant(32, 5))).toBe(t.constant(8, 5));
    const symbolic = t.read(array, t.variable('i', 32));
    const at = (i: number) => evaluate(symbolic, { variables: new Map([['i', i]]), arrays: new Map() });
    expect([at(3), at(9_999), at(150_000)]).toEqual([3, 9_999 & 255, 0]);
  });
});
