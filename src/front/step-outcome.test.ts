import { expect, test } from 'vitest';
import { fromClang } from './step-outcome.js';

const foreign = `a.c:3:50: warning: format specifies type 'wint_t' (aka 'int') but the argument has type 'wint_t' (aka 'unsigned int') [-Wformat]
    3 | printf("%lc", w);
      |         ~~~   ^
`;
const own = `a.c:4:10: warning: unused variable 'x' [-Wunused-variable]
    4 |   int x;
      |       ^
`;

test('a warning that only WebAssembly has is left out, and others are not', () => {
  expect(fromClang(`${foreign}1 warning generated.\n`, 'warning')).toEqual([]);
  const left = { verbatim: `${own}1 warning generated.`, location: { file: 'a.c', line: 4, column: 10 } };
  expect(fromClang(`${foreign}${own}2 warnings generated.\n`, 'warning')).toMatchObject([left]);
  expect(fromClang(`${own}${foreign}2 warnings generated.\n`, 'warning')).toMatchObject([left]);
  expect(fromClang(`${own}1 warning generated.\n`, 'warning')).toMatchObject([left]);
});

test('an argument of another type than wint_t is reported', () => {
  const text = `${foreign.replace("'wint_t' (aka 'unsigned int')", "'double'")}1 warning generated.\n`;
  expect(fromClang(text, 'warning')).toHaveLength(1);
});

test('an `#error` for an unknown processor says how to select one', () => {
  const refused = (text: string) =>
    fromClang(`a.c:2:2: error: ${text}\n    2 | #error ${text}\n      |  ^\n1 error generated.\n`, 'error');
  expect(refused('unknown CPU architecture')[0]!.verbatim).toContain('`-D__x86_64__` selects');
  expect(refused('no version')[0]!.verbatim).not.toContain('__x86_64__');
});
