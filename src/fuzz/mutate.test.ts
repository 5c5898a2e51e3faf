import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Random } from '../support/random.js';
import { invent } from './invent.js';
import { Mutator } from './mutate.js';

const words = [Uint8Array.of(1, 2, 3), new TextEncoder().encode('word')];

test('the same seed gives the same inputs, none of them too long', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 80 }),
      fc.uint8Array({ maxLength: 80 }),
      fc.nat(),
      fc.integer({ min: 1, max: 64 }),
      (input, other, seed, maxLength) => {
        const run = (): Uint8Array[] => {
          const [random, mutator] = [new Random(seed), new Mutator({ maxLength, onlyAscii: false })];
          const list: Uint8Array[] = [];
          for (let i = 0; i < 20; i++)
            list.push(mutator.mutate(list.at(-1) ?? input, other, words, random).slice());
          return list;
        };
        const made = run();
        expect(made).toEqual(run());
        expect(made.every(({ length }) => length <= maxLength)).toBe(true);
      },
    ),
    { numRuns: 200 },
  );
});

test('with onlyAscii, inputs are text', () => {
  const options = { maxLength: 64, onlyAscii: true };
  const [random, mutator] = [new Random(3), new Mutator(options)];
  for (let i = 0; i < 2000; i++) {
    const made = mutator.mutate(Uint8Array.of(0, 200, 65), words[0]!, words, random);
    const isText = (byte: number): boolean => (byte >= 0x20 && byte < 0x7f) || (byte >= 9 && byte <= 13);
    expect([...made, ...invent(random, words, options)].every(isText)).toBe(true);
  }
});

test('every byte can become every other, and words of the dictionary are inserted', () => {
  const [random, mutator] = [new Random(7), new Mutator({ maxLength: 8, onlyAscii: false })];
  const seen = new Set<number>();
  let hasWord = false;
  for (let i = 0; i < 60_000; i++) {
    const made = mutator.mutate(Uint8Array.of(5), words[0]!, words, random);
    if (made.length === 1) seen.add(made[0]!);
    hasWord ||= new TextDecoder().decode(made).includes('word');
  }
  expect(seen.size).toBe(256);
  expect(hasWord).toBe(true);
});
