/** The domains of bytes against the truth: all inputs of two bytes, one by one. */
import { expect, test } from 'vitest';
import { evaluate } from '../../expr/evaluate.js';
import type { Term } from '../../expr/term.js';
import { Terms } from '../../expr/terms.js';
import { Random } from '../../support/random.js';
import { ByteConditions, ByteDomains } from './byte-domains.js';

/** Bytes of four bits, so that all inputs can be tried. */
const INPUTS = Array.from({ length: 256 }, (_, i) => Uint8Array.of(i & 15, i >> 4));

const TABLE = Uint8Array.from({ length: 12 }, (_, i) => (7 * i) & 15);

/**
 * The byte itself, what a table of constants holds there, a choice, one that is made of two pieces,
 * or a long computation.
 */
function derivedFrom(t: Terms, random: Random, byte: Term): Term {
  switch (random.below(6)) {
    case 0:
      return t.read(t.constantArray(TABLE), t.zext(byte, 32));
    case 1:
      return t.ite(t.ult(byte, t.constant(8, random.below(16))), byte, t.constant(8, 3));
    case 2:
      return t.concat(t.extract(byte, 0, 4), t.extract(byte, 1, 4));
    case 3: {
      let value = t.zext(byte, 64);
      for (let i = 0; i < 30; i++)
        value = t.xor(t.mul(value, t.constant(64, 0x1001)), t.udiv(value, t.constant(64, 10 + i)));
      return t.and(t.extract(value, 8, 8), t.constant(8, 15));
    }
    default:
      return byte;
  }
}

function randomCondition(t: Terms, random: Random, bytes: readonly Term[]): Term {
  const one = randomComparison(t, random, bytes);
  if (random.below(3) > 0) return one;
  const other = randomComparison(t, random, bytes);
  return random.below(2) === 0 ? t.and(one, other) : t.not(t.or(one, other));
}

function randomComparison(t: Terms, random: Random, bytes: readonly Term[]): Term {
  const byte = derivedFrom(t, random, t.and(bytes[random.below(2)]!, t.constant(8, 15)));
  const other = random.below(4) === 0 ? bytes[random.below(2)]! : t.constant(8, random.below(16));
  const compare = [t.eq(byte, other), t.ult(byte, other), t.slt(other, byte)][random.below(3)]!;
  return random.below(2) === 0 ? compare : t.not(compare);
}

test('domains are sound, and exact for independent conditions; summaries of deep conditions agree with them', () => {
  const random = new Random(5);
  let briefs = 0;
  for (let round = 0; round < 60; round++) {
    const t = new Terms();
    const array = t.symbolicArray('in', 2);
    const bytes = [0, 1].map(i => t.read(array, t.constant(32, i)));
    const holds = (term: Term, input: Uint8Array): boolean =>
      evaluate(term, { variables: new Map(), arrays: new Map([['in', input]]) }) === 1;
    let domains = new ByteDomains(new ByteConditions(t));
    if (round === 0) {
      // Each part of a condition is on one byte, so none is tangled.
      domains.add(t.and(...(bytes.map(byte => t.ult(byte, t.constant(8, 99))) as [Term, Term])));
      expect(domains.isExact).toBe(true);
    }
    for (const byte of bytes) domains.add(t.ult(byte, t.constant(8, 16)));
    let possible = INPUTS;
    for (let step = 0; step < 8; step++) {
      const condition = randomCondition(t, random, bytes);
      const yes = possible.filter(input => holds(condition, input));
      const truth = yes.length === 0 ? 'never' : yes.length === possible.length ? 'always' : 'both';
      const verdict = condition.isConst ? truth : domains.decide(condition);
      if (verdict !== 'unknown') expect(verdict).toBe(truth);
      const brief = domains.inBrief(condition);
      if (brief !== condition) {
        briefs++;
        expect(brief.height).toBeLessThan(condition.height);
        expect(possible.filter(input => holds(brief, input))).toEqual(yes);
      }
      if (yes.length === 0) break;
      if (condition.isConst) continue;
      const before = domains;
      domains = domains.fork();
      domains.add(condition);
      possible = yes;
      expect(before.isExact || !domains.isExact).toBe(true);
      if (domains.isExact) {
        const least = domains.least(array);
        expect(possible.some(input => input.every((byte, i) => byte === least[i]))).toBe(true);
      }
    }
  }
  expect(briefs).toBeGreaterThan(20);
});
