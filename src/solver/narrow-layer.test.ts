/** Queries whose comparisons fix bits of inputs, against an evaluation for each value. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Evaluator } from '../expr/evaluate.js';
import { randomTwin } from '../expr/random-terms-testing.js';
import type { Term } from '../expr/term.js';
import { Terms } from '../expr/terms.js';
import { Random } from '../support/random.js';
import { Deadline, NO_LIMITS } from './limits.js';
import { NarrowLayer } from './narrow-layer.js';
import type { Outcome } from './query-outcome.js';
import { Solver } from './solver.js';
import { Supports } from './support-set.js';
import { WordConditions } from './word-ranges.js';

const t = new Terms();
const nibble = t.variable('nibble', 4);
const input = t.symbolicArray('input', 8);
const byteAt = (i: number): Term => t.read(input, t.constant(32, i));
const [low, high, masked] = [byteAt(0), byteAt(1), byteAt(5)];
const word = t.concat(high, low);
const table = t.constantArray(Uint8Array.from({ length: 8 }, (_, i) => (i * 51) & 255));

let solver: Solver;
beforeAll(async () => {
  solver = await Solver.create(t, { backend: 'cadical', caches: false });
});
afterAll(() => solver.dispose());

const between = (term: Term, first: number, last: number): Term[] => [
  t.ule(t.constant(term.width, first), term),
  t.ule(term, t.constant(term.width, last)),
];

/** Terms refer to each other, so their ids are compared. */
const idsOf = (terms: readonly Term[]): number[] => terms.map(({ id }) => id).sort((a, b) => a - b);

/** The constraints that reach the layer below, and the outcome. */
function passed(constraints: readonly Term[]): {
  readonly below: readonly Term[] | undefined;
  readonly outcome: Outcome;
} {
  let below: readonly Term[] | undefined;
  const decider = {
    check: ({ constraints }: { readonly constraints: readonly Term[] }) => {
      below = constraints;
      return { kind: 'unknown', reason: 'not asked' } as const;
    },
  };
  const layer = new NarrowLayer(t, new Supports(), new WordConditions(), decider, () => {});
  const outcome = layer.check({ constraints, limits: NO_LIMITS, deadline: new Deadline(0) });
  return { below, outcome };
}

test('answers and cores agree with an evaluation on all values', () => {
  const random = new Random(11);
  const three = t.extract(masked, 0, 3);
  const leaves = {
    terms: [nibble, word, low, high, masked, t.zext(three, 32)].map(term => ({ term, value: 0n })),
    arrays: [{ array: table, bytes: new Uint8Array(8) }],
  };
  const seen = { sat: 0, unsat: 0 };
  for (let i = 0; i < 100; i++) {
    const base = random.below(4) === 0 ? 0xfa + random.below(12) : random.below(0xfff0);
    const span = random.below(12);
    // Comparisons of a part fix bits of the other part, too.
    const ofPart = random.below(3) === 0 ? [t.ule(t.constant(8, (base + span) >> 8), high)] : [];
    const ranges = [
      ...between(word, base, base + span),
      ...ofPart,
      t.eq(t.extract(masked, 3, 5), t.constant(5, 0x15)),
    ];
    const more = Array.from({ length: 1 + random.below(3) }, () => randomTwin(t, random, leaves, 1, 3).term);
    const constraints = [...ranges, ...more];
    const evaluators = Array.from({ length: (span + 1) * 8 * 16 }, (_, row) => {
      const value = base + (row >> 7);
      const bytes = Uint8Array.from([value & 255, value >> 8, 0, 0, 0, 0xa8 | (row & 7)]);
      const variables = new Map([['nibble', (row >> 3) & 15]]);
      return new Evaluator({ variables, arrays: new Map([['input', bytes]]) });
    });
    const isPossible = (terms: readonly Term[]): boolean =>
      evaluators.some(evaluator => terms.every(term => evaluator.isTrue(term)));
    const outcome = solver.check(constraints);
    expect(outcome.kind).toBe(isPossible(constraints) ? 'sat' : 'unsat');
    if (outcome.kind === 'unknown') continue;
    seen[outcome.kind]++;
    // A core without the ranges is satisfiable outside them, which Z3 would find.
    if (outcome.kind === 'unsat') expect(isPossible(outcome.core)).toBe(false);
  }
  expect(Math.min(seen.sat, seen.unsat)).toBeGreaterThan(15);
});

test('sums and products of digits do not overflow, without a call of the solver', () => {
  const digits = [low, high, masked];
  const isDigit = digits.flatMap(digit => between(digit, 48, 57));
  const [x, y, z] = digits.map(digit => t.sub(t.sext(digit, 16), t.constant(16, 48)));
  const number = t.add(t.mul(x!, t.constant(16, 10)), y!);
  const exact = t.mul(t.sext(number, 32), t.sext(z!, 32));
  const overflows = t.not(t.eq(exact, t.sext(t.extract(exact, 0, 16), 32)));
  const { below, outcome } = passed([...isDigit, overflows]);
  expect(below).toBeUndefined();
  expect(idsOf(outcome.kind === 'unsat' ? outcome.core : [])).toEqual(idsOf([overflows, ...isDigit]));
});

test('only what a query leaves open goes to the solver', () => {
  const isBrief = [...between(low, 48, 57), t.eq(high, t.constant(8, 7))];
  const sum = t.eq(t.add(low, high), t.constant(8, 60));
  const { below } = passed([...isBrief, sum]);
  const fourBits = t.extract(low, 0, 4);
  expect(idsOf(below!)).toContain(t.eq(fourBits, t.constant(4, 5)).id);
  expect(below!.every(term => new Supports().of(term).leaves.every(leaf => leaf === low))).toBe(true);
});

test('a leaf that is read in another way stays as it is', () => {
  const index = t.zext(nibble, 32);
  const isDigit = between(low, 48, 57);
  const elsewhere = t.eq(t.read(input, index), low);
  expect(idsOf(passed([...isDigit, elsewhere]).below!)).toEqual(idsOf([...isDigit, elsewhere]));
  const written = t.eq(t.read(t.write(table, index, low), t.zext(high, 32)), masked);
  expect(idsOf(passed([...isDigit, written]).below!)).toEqual(idsOf([...isDigit, written]));
});
