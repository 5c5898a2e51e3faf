import { describe, expect, test } from 'vitest';
import type { Finding } from '../findings/finding.js';
import { silenced } from './check-kinds.js';
import { ignoreComments, isSuppressed, parseSuppressions } from './suppressions.js';

const finding: Finding = {
  code: 'use-after-free',
  severity: 'error',
  message: 'read of 4 bytes in a freed block',
  location: { file: 'src/list.c', line: 40, column: 3, function: 'pop' },
  stack: [
    { file: 'src/list.c', line: 40, column: 3, function: 'pop' },
    { file: 'src/main.c', line: 7, column: 1, function: 'main' },
  ],
};

describe('rules', () => {
  test.each([
    ['use-after-free', true],
    ['double-free', false],
    ['use-after-free:src/list.c', true],
    ['use-after-free:list.c:40', true],
    ['use-after-free:list.c:41', false],
    ['use-after-free:st.c:40', false],
    ['use-after-free:pop', true],
    ['use-after-free:main', true],
    ['use-after-free:push', false],
  ])('%s: %s', (rule, expected) => {
    const { rules, problems } = parseSuppressions(`# why\n\n  ${rule}  # because\n`);
    expect(problems).toEqual([]);
    expect(isSuppressed(finding, rules)).toBe(expected);
  });

  test('a text that is not a rule is a problem', () => {
    const text = 'use-after-fre\nuse-after-free:a.c:x\nuse-after-free:a.c:1:2\nuse-after-free:\n';
    expect(parseSuppressions(text).problems.map(problem => problem.line)).toEqual([1, 2, 3, 4]);
  });
});

test('comments suppress at their own line', () => {
  const text =
    'a;\nb; // redzone:ignore use-after-free, double-free as we know\nc; /* redzone:ignore memory-leak */\n';
  expect(ignoreComments('a.c', text)).toEqual({
    rules: [
      { code: 'use-after-free', file: 'a.c', line: 2 },
      { code: 'double-free', file: 'a.c', line: 2 },
      { code: 'memory-leak', file: 'a.c', line: 3 },
    ],
    problems: [],
  });
});

test.each([
  ['ä; // redzone:ignore', 5, "'redzone:ignore' without a code suppresses nothing"],
  [
    'a; // redzone:ignore because I say so',
    22,
    "'because' is not a code of a finding and suppresses nothing",
  ],
  ['a; // redzone:ignore double-free, all', 35, "'all' is not a code of a finding and suppresses nothing"],
  [
    'a; // redzone:ignore double-free use-after-fre',
    34,
    "'use-after-fre' is not a code of a finding and suppresses nothing",
  ],
])('%s: a comment that has less effect than it seems gets a warning', (text, column, message) => {
  const { problems } = ignoreComments('a.c', text);
  expect(problems).toMatchObject([
    { severity: 'warning', message, location: { file: 'a.c', line: 1, column } },
  ]);
});

test('disabled checks are silent', () => {
  expect(silenced(new Set(['spatial', 'temporal', 'undefined', 'leaks', 'races']))).toEqual([
    { code: 'uninitialized-read' },
    { code: 'misaligned-access' },
    { code: 'strict-aliasing' },
    { code: 'restrict-violation' },
    { code: 'null-offset' },
  ]);
});
