/**
 * The corpus against its invariants: every feature has an owner, the shortest; every entry owns
 * one.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Random } from '../support/random.js';
import { Corpus, fewestInputs } from './corpus.js';
import { costOf } from './protocol.js';

const inputs = fc.array(
  fc.record({
    bytes: fc.uint8Array({ maxLength: 20 }),
    features: fc
      .uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 8 })
      .map(list => Uint32Array.from(list.sort((a, b) => a - b).map(edge => (edge << 8) | 1))),
    cost: fc.integer({ min: 32, max: 1000 }),
  }),
  { maxLength: 40 },
);

test('keeps all features, and no redundant entry', () => {
  fc.assert(
    fc.property(inputs, list => {
      const corpus = new Corpus();
      for (const input of list) corpus.offer(input, 'grey');
      const offered = new Set(list.flatMap(({ features }) => [...features]));
      const kept = new Set(corpus.entries.flatMap(({ features }) => [...features]));
      expect(kept).toEqual(offered);
      expect(corpus.entries.reduce((sum, { owned }) => sum + owned, 0)).toBe(offered.size);
      expect(corpus.entries.every(({ owned }) => owned > 0)).toBe(true);
      expect(corpus.edges).toBe(new Set([...offered].map(feature => feature >>> 8)).size);
    }),
  );
});

test('the minimised corpus covers as much as the whole one', () => {
  fc.assert(
    fc.property(inputs, list => {
      const kept = fewestInputs(list);
      const featuresOf = (some: typeof list) => new Set(some.flatMap(({ features }) => [...features]));
      expect(featuresOf(kept)).toEqual(featuresOf(list));
      expect(kept.length).toBeLessThanOrEqual(featuresOf(list).size);
    }),
  );
});

test('a shorter input replaces a longer one with the same coverage', () => {
  const corpus = new Corpus();
  const features = Uint32Array.of(0x101, 0x201);
  const [cost, shorter] = [40, new Uint8Array(4)];
  const first = corpus.offer({ bytes: new Uint8Array(8), features, cost }, 'given')!;
  expect(corpus.offer({ bytes: shorter, features, cost }, 'grey')).toBeUndefined();
  const change = corpus.offer({ bytes: shorter, features, cost, replaces: first.added.id }, 'grey');
  expect(change?.removed).toEqual([first.added]);
  expect(corpus.entries.map(({ bytes }) => bytes.length)).toEqual([4]);
  corpus.weigh();
  expect(corpus.choose(new Random(1)).bytes.length).toBe(4);
});

test('the usual cost is the median of the entries', () => {
  const corpus = new Corpus();
  expect(corpus.usualCost).toBe(costOf(0));
  for (const [edge, cost] of [5000, 40, 60, 50, 70].entries())
    corpus.offer({ bytes: new Uint8Array(1), features: Uint32Array.of((edge << 8) | 1), cost }, 'grey');
  expect(corpus.usualCost).toBe(60);
});
