/** Ranges against plain counting: small words, all their values. */
import { expect, test } from 'vitest';
import { Evaluator } from '../expr/evaluate.js';
import type { Term } from '../expr/term.js';
import { Terms } from '../expr/terms.js';
import { Random } from '../support/random.js';
import { Deadline, NO_LIMITS } from './limits.js';
import { RangeLayer } from './range-layer.js';
import { WordConditions } from './word-ranges.js';

const t = new Terms();
const n = t.variable('n', 6);
const [high, low] = [t.variable('high', 3), t.variable('low', 3)];
const pair = t.concat(high, low);

/** What programs make of a word before they compare it. */
function computed(random: Random, word: Term): Term {
  const constant = () => t.constant(word.width, random.below(2 ** word.width));
  switch (random.below(7)) {
    case 0:
      return t.add(word, constant());
    case 1:
      return t.sub(constant(), word);
    case 2:
      return t.not(word);
    case 3:
      return word.width < 9 ? t.zext(word, word.width + 2) : word;
    case 4:
      return word.width < 9 ? t.sext(word, word.width + 2) : word;
    default:
      return word;
  }
}

function comparison(random: Random, word: Term): Term {
  let side = word;
  for (let steps = random.below(4); steps > 0; steps--) side = computed(random, side);
  const constant = t.constant(side.width, random.below(2 ** side.width));
  switch (random.below(7)) {
    case 0:
      return t.eq(side, constant);
    case 1:
      return t.ult(side, constant);
    case 2:
      return t.ult(constant, side);
    case 3:
      return t.slt(side, constant);
    case 4:
      return t.slt(constant, side);
    case 5:
      return t.extract(side, side.width - 1, 1);
    default: {
      const more = t.constant(side.width, random.below(2 ** side.width));
      const wide = t.add(t.sext(side, side.width + 1), t.sext(more, side.width + 1));
      return t.eq(wide, t.sext(t.add(side, more), side.width + 1));
    }
  }
}

function constraint(random: Random, word: Term): Term {
  const condition = comparison(random, word);
  return random.below(2) === 0 ? condition : t.not(condition);
}

function partOf(name: string, value: number): number {
  return name === 'high' ? value >> 3 : name === 'low' ? value & 7 : value;
}

const assignments = Array.from({ length: 64 }, (_, value) => ({
  variables: new Map(['n', 'high', 'low'].map(name => [name, partOf(name, value)])),
  arrays: new Map(),
}));

test('ranges are the values for which a constraint holds', () => {
  const random = new Random(1);
  const conditions = new WordConditions();
  let known = 0;
  for (let i = 0; i < 2000; i++) {
    const term = constraint(random, i % 2 === 0 ? n : pair);
    const condition = conditions.of(term);
    if (condition === undefined) continue;
    known++;
    const wrong = assignments.find(assignment => {
      const evaluator = new Evaluator(assignment);
      const value = BigInt(evaluator.value(condition.word));
      const isIn = condition.ranges.some(range => range.low <= value && value <= range.high);
      return isIn !== evaluator.isTrue(term);
    });
    expect(wrong).toBeUndefined();
  }
  expect(known).toBeGreaterThan(1300);
});

test('answers agree with an enumeration', () => {
  const random = new Random(2);
  const answers = { sat: 0, unsat: 0, unknown: 0 };
  const layer = new RangeLayer(
    new WordConditions(),
    { check: () => ({ kind: 'unknown', reason: 'not compared with constants' }) },
    () => {},
  );
  // `n` and the pair are independent, so each has its own turn; the model must be one of both.
  for (let i = 0; i < 2000; i++) {
    const words = [[n], [pair, high], [pair, low]][i % 3]!;
    const constraints = Array.from({ length: 1 + random.below(5) }, () =>
      constraint(random, words[random.below(words.length)]!),
    );
    if (i % 5 === 0) constraints.push(t.eq(i % 3 === 0 ? pair : n, t.constant(6, i % 64)));
    const outcome = layer.check({ constraints, limits: NO_LIMITS, deadline: new Deadline(0) });
    answers[outcome.kind]++;
    if (outcome.kind === 'sat') expect(outcome.model.satisfiesAll(constraints)).toBe(true);
    if (outcome.kind !== 'unsat') continue;
    const possible = assignments.find(({ variables, arrays }) => {
      const both = new Map(variables);
      if (i % 5 === 0)
        for (const name of i % 3 === 0 ? ['high', 'low'] : ['n']) both.set(name, partOf(name, i % 64));
      const evaluator = new Evaluator({ variables: both, arrays });
      return constraints.every(each => evaluator.isTrue(each));
    });
    expect(possible).toBeUndefined();
  }
  expect(answers.sat).toBeGreaterThan(400);
  expect(answers.unsat).toBeGreaterThan(100);
});
