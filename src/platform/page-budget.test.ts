import { expect, test } from 'vitest';
import { PageBudget } from './page-budget.js';

test('small calls return pages when 4 MiB are in use', () => {
  const budget = new PageBudget();
  const answers = Array.from({ length: 250 }, () => budget.add(10));
  expect(answers.flatMap((answer, i) => (answer ? [i] : []))).toEqual([102, 205]);
});

test('large calls do when more is in use than twice their average', () => {
  const budget = new PageBudget();
  const answers = Array.from({ length: 12 }, () => budget.add(10_000));
  // Averages 2500, 4375, 5781, ...: the first call alone is above twice the average, later every
  // third or so.
  expect(answers[0]).toBe(true);
  const gaps = answers.flatMap((answer, i) => (answer ? [i] : []));
  expect(gaps.length).toBeLessThan(8);
});
