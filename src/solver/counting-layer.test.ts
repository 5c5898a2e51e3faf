/** Queries about few values against an evaluation for each. */
import { expect, test } from 'vitest';
import { Evaluator } from '../expr/evaluate.js';
import { randomTwin } from '../expr/random-terms-testing.js';
import type { Term } from '../expr/term.js';
import { Terms } from '../expr/terms.js';
import { Random } from '../support/random.js';
import { CountingLayer } from './counting-layer.js';
import { Deadline, NO_LIMITS } from './limits.js';
import { Supports } from './support-set.js';
import { WordConditions } from './word-ranges.js';

const t = new Terms();
const nibble = t.variable('nibble', 4);
const input = t.symbolicArray('input', 8);
const [low, high, masked] = [0, 1, 5].map(i => t.read(input, t.constant(32, i)));
const word = t.concat(high!, low!);
const table = t.constantArray(Uint8Array.from({ length: 8 }, (_, i) => (i * 51) & 255));

/** The word has one of twelve values around zero; three bits of the last byte are used. */
const isSmall = t.ult(t.add(word, t.constant(16, 5)), t.constant(16, 12));
const assignments = Array.from({ length: 16 * 12 * 8 }, (_, i) => {
  const value = ((i >> 3) % 12) - 5;
  const bytes = Uint8Array.from([value & 255, (value >> 8) & 255, 0, 0, 0, 0xa8 | (i & 7)]);
  return { variables: new Map([['nibble', Math.floor(i / 96)]]), arrays: new Map([['input', bytes]]) };
});

function layerOver(): { readonly layer: CountingLayer; readonly answered: () => number } {
  let count = 0;
  const below = { check: () => ({ kind: 'unknown', reason: 'too many values' }) as const };
  const layer = new CountingLayer(new WordConditions(), new Supports(), below, () => count++);
  return { layer, answered: () => count };
}

const ask = (layer: CountingLayer, constraints: readonly Term[]) =>
  layer.check({ constraints, limits: NO_LIMITS, deadline: new Deadline(0) });

test('answers agree with an evaluation on all values', () => {
  const random = new Random(5);
  const { layer, answered } = layerOver();
  const three = t.extract(masked!, 0, 3);
  const leaves = {
    terms: [nibble, word, word, three, t.zext(three, 32)].map(term => ({ term, value: 0n })),
    arrays: [{ array: t.write(table, t.zext(nibble, 32), low!), bytes: new Uint8Array(8) }],
  };
  const seen = { sat: 0, unsat: 0, unknown: 0 };
  for (let i = 0; i < 250; i++) {
    const more = Array.from({ length: 1 + random.below(4) }, () => randomTwin(t, random, leaves, 1, 3).term);
    const constraints = [isSmall, ...more].filter(term => !term.isConst);
    const outcome = ask(layer, constraints);
    seen[outcome.kind]++;
    if (outcome.kind === 'sat') expect(outcome.model.satisfiesAll(constraints)).toBe(true);
    if (outcome.kind !== 'unsat') continue;
    const possible = assignments.find(assignment => {
      const evaluator = new Evaluator(assignment);
      return constraints.every(term => evaluator.isTrue(term));
    });
    expect(possible).toBeUndefined();
  }
  expect(seen.unknown).toBe(0);
  expect(answered()).toBe(250);
  expect(Math.min(seen.sat, seen.unsat)).toBeGreaterThan(20);
});

test('queries with many values are left to the layer below', () => {
  const { layer } = layerOver();
  expect(ask(layer, [t.eq(t.mul(word, word), t.constant(16, 9))]).kind).toBe('unknown');
  expect(ask(layer, [isSmall, t.eq(t.mul(word, word), t.constant(16, 9))]).kind).toBe('sat');
  const anywhere = t.read(input, t.zext(nibble, 32));
  expect(ask(layer, [t.eq(anywhere, t.constant(8, 9))]).kind).toBe('unknown');
});

test('a narrower range reuses the values of a wider one, and not the reverse', () => {
  const { layer } = layerOver();
  const square = (value: number) => t.eq(t.mul(word, word), t.constant(16, value));
  const below = (bound: number) => t.ult(word, t.constant(16, bound));
  expect(ask(layer, [below(5), square(25)]).kind).toBe('unsat');
  expect(ask(layer, [below(4), square(9)]).kind).toBe('sat');
  expect(ask(layer, [below(6), square(25)]).kind).toBe('sat');
});

test('contradicting ranges exclude all values, whatever the rest of the query', () => {
  const { layer } = layerOver();
  const apart = [t.ult(word, t.constant(16, 3)), t.ugt(word, t.constant(16, 4))];
  const others = [t.eq(t.mul(word, word), t.constant(16, 9)), t.eq(nibble, t.extract(low!, 0, 4))];
  expect(ask(layer, [...others, ...apart])).toEqual({ kind: 'unsat', core: apart });
});
