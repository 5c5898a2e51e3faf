/**
 * The whole chain on random constraint sets, the questions of the explorer, and the limits. Models
 * are evaluated by the solver itself, and what it calls unsatisfiable is put to Z3 after the tests
 * (`tests/confirm-unsat.ts`).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomTwin } from '../expr/random-terms-testing.js';
import type { Term } from '../expr/term.js';
import { Terms } from '../expr/terms.js';
import { Random } from '../support/random.js';
import { setStopFlag } from '../support/stop-flag.js';
import { confirmUnsat, randomSets, smallLeaves } from './random-constraints-testing.js';
import { sliceConstraints } from './slice-layer.js';
import { Solver } from './solver.js';
import { Supports } from './support-set.js';
import { Z3 } from './z3-layer.js';

/** One Z3 for the whole file: starting it takes a second. */
const z3 = new Z3();
afterAll(() => z3.close());

describe('agreement', () => {
  test('random constraint sets have the same answers with and without caches', async () => {
    const t = new Terms();
    const chain = await Solver.create(t, { backend: 'cadical' });
    const plain = await Solver.create(t, { backend: 'cadical', caches: false });
    const counts = { sat: 0, unsat: 0, unknown: 0 };
    for (const constraints of randomSets(t, 17, 60)) {
      const { kind } = plain.check(constraints);
      counts[kind]++;
      expect(chain.check(constraints).kind).toBe(kind);
    }
    expect(counts.unknown).toBe(0);
    expect(Math.min(counts.sat, counts.unsat)).toBeGreaterThan(5);
    for (const solver of [chain, plain]) solver.dispose();
  });

  test('an unknown back end is rejected', async () => {
    const create = Solver.create(new Terms(), { backend: 'minisat' as 'z3' });
    await expect(create).rejects.toThrow("there is no solver 'minisat'; the solvers are both, cadical, z3");
  });

  test('a wrong answer is detected by the comparison with Z3', () => {
    const t = new Terms();
    const x = t.variable('x', 8);
    const low = t.ult(x, t.constant(8, 3));
    expect(confirmUnsat([{ t, terms: [low, t.ult(t.constant(8, 3), x)] }], 4000)).toBe(0);
    expect(() => confirmUnsat([{ t, terms: [low] }], 4000)).toThrow('we say unsatisfiable, Z3 says sat');
  });

  test('an unsatisfiable core is unsatisfiable by itself, and caches answer its supersets', async () => {
    const t = new Terms();
    const solver = await Solver.create(t, { backend: 'cadical' });
    const x = t.variable('x', 32);
    const y = t.variable('y', 32);
    const noise = [t.ult(x, t.sub(y, x)), t.ult(y, t.add(x, y))];
    const clash = [t.ult(t.mul(x, y), t.constant(32, 6)), t.ult(t.constant(32, 9), t.mul(x, y))];
    const outcome = solver.check([...noise, ...clash]);
    if (outcome.kind !== 'unsat') return expect.fail(outcome.kind);
    expect(outcome.core.every(term => clash.includes(term))).toBe(true);
    const before = solver.statistics;
    expect(solver.check([...clash, t.ult(y, t.constant(32, 5))]).kind).toBe('unsat');
    expect(solver.statistics.counterexampleCache).toBe(before.counterexampleCache + 1);
    solver.dispose();
  });
});

describe('arrays', () => {
  let t: Terms;
  let solver: Solver;
  beforeAll(async () => {
    t = new Terms();
    solver = await Solver.create(t, { backend: 'cadical', caches: false });
  });
  afterAll(() => solver.dispose());

  test('a large symbolic buffer at symbolic indices, by lemmas', () => {
    const buffer = t.symbolicArray('buffer', 65536);
    const [i, j] = [t.variable('i', 32), t.variable('j', 32)];
    const [atI, atJ] = [t.read(buffer, i), t.read(buffer, j)];
    const at7 = t.read(buffer, t.constant(32, 7));
    const seven = t.constant(32, 7);
    expect(solver.check([t.eq(i, j), t.ne(atI, atJ)]).kind).toBe('unsat');
    expect(solver.check([t.ult(i, seven), t.eq(atI, t.constant(8, 3)), t.ne(atI, atJ)]).kind).toBe('sat');
    expect(solver.check([t.ule(i, seven), t.ule(seven, i), t.ne(atI, at7)]).kind).toBe('unsat');
    expect(solver.check([t.ult(t.constant(32, 65535), i), t.ne(atI, t.constant(8, 0))]).kind).toBe('unsat');
    const written = t.read(t.write(buffer, i, t.constant(8, 1)), j);
    expect(solver.check([t.eq(i, j), t.ne(written, t.constant(8, 1))]).kind).toBe('unsat');
    expect(solver.check([t.ne(written, t.constant(8, 1)), t.ne(written, atJ)]).kind).toBe('unsat');
  });

  test('a byte whose low bits are not in the query', () => {
    const index = t.zext(t.lshr(t.constant(4, 15), t.variable('by', 4)), 32);
    const byte = t.read(t.symbolicArray('few', 8), index);
    expect(solver.check([t.ult(t.constant(8, 3), byte)]).kind).toBe('sat');
  });

  test('a table of 300 bytes at a symbolic index', () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, i) => (i * i) & 0x7f);
    const index = t.variable('index', 32);
    const at = t.read(t.constantArray(bytes), index);
    for (const value of [...new Set(bytes)].slice(0, 1)) {
      const byte = t.constant(8, value);
      expect(solver.check([t.eq(at, byte)]).kind).toBe('sat');
      const first = bytes.indexOf(value);
      const before = t.ult(index, t.constant(32, first));
      expect(solver.check([t.eq(at, byte), before]).kind).toBe('unsat');
      expect(solver.check([t.eq(at, byte), t.ule(index, t.constant(32, first))]).kind).toBe('sat');
    }
    expect(solver.check([t.eq(at, t.constant(8, 0x7e))]).kind).toBe(bytes.includes(0x7e) ? 'sat' : 'unsat');
    expect(solver.check([t.ne(at, t.constant(8, 0)), t.ult(t.constant(32, 299), index)]).kind).toBe('unsat');
  });

  test('a table of 64 KiB, which Z3 does not solve', async () => {
    const alone = await Solver.create(t, { backend: 'cadical', caches: false });
    const random = new Random(4);
    const bytes = Uint8Array.from({ length: 65536 }, () => random.below(200));
    bytes[40_000] = 255;
    const [k, l] = [t.variable('k', 32), t.variable('l', 32)];
    const at = t.read(t.constantArray(bytes), k);
    const outcome = alone.check([t.eq(at, t.constant(8, 255)), t.ult(l, k)]);
    expect(outcome.kind === 'sat' && outcome.model.value(k)).toBe(40_000);
    expect(alone.check([t.eq(at, t.constant(8, 240))]).kind).toBe('unsat');
    alone.dispose();
  });
});

describe('queries of a path', () => {
  test('slices, implied values and answers agree with a query of the whole path', async () => {
    const random = new Random(8);
    const t = new Terms();
    const leaves = smallLeaves(t);
    const solver = await Solver.create(t, { backend: 'cadical' });
    const plain = await Solver.create(t, { backend: 'cadical', caches: false });
    for (let path = 0; path < 12; path++) {
      let set = solver.emptySet;
      const all: Term[] = [];
      for (let step = 0; step < 8; step++) {
        const { term: condition } = randomTwin(t, random, leaves, 1, 3);
        const yes = plain.check([...all, condition]).kind === 'sat';
        const no = plain.check([...all, t.not(condition)]).kind === 'sat';
        expect(solver.branch(set, condition).kind).toBe(yes && no ? 'both' : yes ? 'always' : 'never');
        expect(solver.mustBeTrue(set, condition).kind).toBe(no ? 'no' : 'yes');
        const taken = yes ? condition : t.not(condition);
        all.push(taken);
        set = set.add(taken);
        expect(set.isFalse).toBe(false);
        expectSliced(set.slices());
      }
      const outcome = solver.getModel(set);
      expect(outcome.kind === 'sat' && outcome.model.satisfiesAll(all)).toBe(true);
    }
    solver.dispose();
    plain.dispose();
  });

  test('states share a prefix and stay independent', async () => {
    const t = new Terms();
    const solver = await Solver.create(t, { backend: 'cadical' });
    const x = t.variable('x', 8);
    const ten = t.constant(8, 10);
    const shared = solver.emptySet.add(t.ult(x, t.constant(8, 20)));
    const low = shared.add(t.ult(x, ten));
    const high = shared.add(t.uge(x, ten));
    expect(solver.mayBeTrue(low, t.eq(x, t.constant(8, 15)))).toEqual({ kind: 'no' });
    expect(solver.mayBeTrue(high, t.eq(x, t.constant(8, 15)))).toEqual({ kind: 'yes' });
    expect([shared.size, low.size, high.size]).toEqual([1, 2, 2]);
    expect(high.add(t.ult(x, ten)).isFalse).toBe(true);
    solver.dispose();
  });

  test('implied values decide without a solver', async () => {
    const t = new Terms();
    const solver = await Solver.create(t, { backend: 'cadical' });
    const input = t.symbolicArray('input', 4);
    const byte = t.read(input, t.constant(32, 0));
    const set = solver.emptySet.add(t.eq(byte, t.constant(8, 65)));
    const sum = t.add(t.zext(byte, 32), t.constant(32, 1));
    expect(solver.mustBeTrue(set, t.eq(sum, t.constant(32, 66)))).toEqual({ kind: 'yes' });
    expect(solver.getValue(set, sum)).toEqual({ kind: 'value', value: 66 });
    expect(solver.statistics).toMatchObject({ implied: 1, sat: 0 });
    solver.dispose();
  });

  test('ranges, unsigned and signed, by brute force at 8 bits', async () => {
    const t = new Terms();
    const solver = await Solver.create(t, { backend: 'cadical' });
    const x = t.variable('x', 8);
    const y = t.variable('y', 8);
    const set = solver.emptySet
      .add(t.slt(x, t.constant(8, 9)))
      .add(t.ult(t.constant(8, 3), x))
      .add(t.ult(y, t.constant(8, 3)));
    const term = t.add(t.mul(x, t.constant(8, 3)), y);
    const values: number[] = [];
    for (let a = 4; a < 256; a++) {
      if (a > 8 && a < 128) continue;
      for (let b = 0; b < 3; b++) values.push((a * 3 + b) & 255);
    }
    const signed = values.map(v => (v << 24) >> 24);
    expect(solver.range(set, term)).toEqual({
      kind: 'range',
      min: Math.min(...values),
      max: Math.max(...values),
    });
    const [least, greatest] = [Math.min(...signed) & 255, Math.max(...signed) & 255];
    expect(solver.signedRange(set, term)).toEqual({ kind: 'range', min: least, max: greatest });
    solver.dispose();
  });

  test('queries are dumped in both formats', async () => {
    const t = new Terms();
    const x = t.variable('x', 16);
    for (const format of ['smt2', 'kquery'] as const) {
      const texts: string[] = [];
      const solver = await Solver.create(t, {
        backend: 'cadical',
        dump: { format, write: text => texts.push(text) },
      });
      solver.check([t.eq(t.mul(x, x), t.constant(16, 9))]);
      solver.check([t.eq(t.mul(x, x), t.constant(16, 9))]);
      expect(texts.length).toBe(1);
      expect(texts[0]).toContain(format === 'smt2' ? '(check-sat)' : '(query [');
      solver.dispose();
    }
  });
});

function expectSliced(slices: readonly (readonly Term[])[]): void {
  const again = sliceConstraints(new Supports(), slices.flat());
  const keys = (groups: readonly (readonly Term[])[]): string[] =>
    groups
      .map(group =>
        group
          .map(term => term.id)
          .sort((a, b) => a - b)
          .join(),
      )
      .sort();
  expect(keys(slices)).toEqual(keys(again));
}

describe('limits', () => {
  /** Factoring a product of two large primes: out of reach for a while. */
  function hard(t: Terms): Term[] {
    const [p, q] = [t.variable('p', 64), t.variable('q', 64)];
    const limit = t.constant(64, 2n ** 32n);
    const product = t.constant(64, 2654435761n * 3266489917n);
    return [
      t.ult(p, limit),
      t.ult(q, limit),
      t.ult(t.constant(64, 1), p),
      t.ult(p, q),
      t.eq(t.mul(p, q), product),
    ];
  }

  test('a limit of conflicts gives the same unknown each time, and an answer right after', async () => {
    const t = new Terms();
    const solver = await Solver.create(t, { limits: { milliseconds: 0, conflicts: 50 } });
    expect(solver.check(hard(t))).toEqual({ kind: 'unknown', reason: 'conflict limit' });
    expect(solver.check([t.eq(t.variable('x', 8), t.constant(8, 3))]).kind).toBe('sat');
    expect(solver.check(hard(t))).toEqual({ kind: 'unknown', reason: 'conflict limit' });
    solver.dispose();
  });

  test.each(['cadical', 'z3', 'both'] as const)(
    // Without the limit it would find the factors.
    'time: %s gives up and is usable afterwards',
    async backend => {
      const t = new Terms();
      const solver = await Solver.create(t, { backend, limits: { milliseconds: 0, conflicts: 0 } });
      const x = t.variable('x', 8);
      expect(solver.check([t.ult(x, t.constant(8, 3))]).kind).toBe('sat');
      if (backend !== 'cadical') solver.z3.run('(check-sat)', 60_000);
      solver.limits = { milliseconds: 300, conflicts: 0 };
      expect(solver.check(hard(t))).toEqual({ kind: 'unknown', reason: 'time limit' });
      solver.limits = { milliseconds: 20_000, conflicts: 0 };
      expect(solver.check([t.ult(x, t.constant(8, 3)), t.ult(t.constant(8, 1), x)]).kind).toBe('sat');
      solver.dispose();
    },
  );

  test('time: all questions together end at a deadline', async () => {
    const t = new Terms();
    const solver = await Solver.create(t, { backend: 'cadical' });
    solver.deadline = performance.now() + 200;
    // One without the deadline would find the factors.
    for (let i = 0; i < 60; i++)
      expect(solver.check(hard(t))).toEqual({ kind: 'unknown', reason: 'time limit' });
    solver.dispose();
  });

  test('what is too wide for bit-blasting goes to Z3', async () => {
    const t = new Terms();
    const solver = await Solver.create(t);
    const x = t.variable('wide', 300);
    const triple = t.mul(x, t.constant(300, 3));
    const outcome = solver.check([
      t.ult(triple, t.constant(300, 22)),
      t.ult(t.constant(300, 18), triple),
      t.ult(x, t.constant(300, 10_000)),
    ]);
    expect(outcome.kind === 'sat' && outcome.model.value(x)).toBe(7);
    expect(solver.statistics.z3).toBe(1);
    solver.dispose();
  });

  test('Z3 serves other theories, and a late script does not harm the next', () => {
    const integers =
      '(declare-const a Int)(declare-const b Int)(assert (= (+ a b) 10))(assert (> a b))(check-sat)';
    expect(z3.run(integers, 20_000)).toMatchObject({ kind: 'reply', reply: 'sat\n' });
    const endless =
      '(declare-fun f (Int) Int)(assert (forall ((x Int)) (= (f (+ x 1)) (+ (f x) (* x x)))))(check-sat)';
    // Z3 may also give up before its time limit.
    const late = z3.run(endless, 200);
    expect([{ kind: 'late' }, { kind: 'reply', reply: 'unknown\n' }]).toContainEqual(late);
    expect(z3.run(integers, 20_000)).toMatchObject({ kind: 'reply', reply: 'sat\n' });
  });
});

test.each(['cadical', 'both'] as const)('a flag of another thread ends a query of %s', async backend => {
  const t = new Terms();
  const solver = await Solver.create(t, { backend });
  const [a, b] = [t.variable('a', 64), t.variable('b', 64)];
  const isSmall = (x: Term): Term[] => [t.ult(x, t.constant(64, 2 ** 32)), t.ult(t.constant(64, 1), x)];
  const product = t.constant(64, 2147483647n * 2147483629n);
  const hard = [...isSmall(a), ...isSmall(b), t.eq(t.mul(a, b), product)];
  const shared = new SharedArrayBuffer(4);
  setStopFlag(shared);
  const word = new Int32Array(shared);
  Atomics.store(word, 0, 1);
  expect(solver.check(hard)).toEqual({ kind: 'unknown', reason: 'time limit' });
  Atomics.store(word, 0, 0);
  expect(solver.check([...isSmall(a), t.eq(t.mul(a, a), t.constant(64, 49))]).kind).toBe('sat');
  solver.dispose();
});
