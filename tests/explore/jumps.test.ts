/**
 * Jumps by a symbolic index: labels, cases and functions in tables are forked over, however many
 * there are.
 */
import { expect, test } from 'vitest';
import { type ExploreReport, explore } from '../../src/index.js';

/** More values than other decisions try one by one. */
const COUNT = 40;
const numbers = Array.from({ length: COUNT }, (_, i) => i);

const source = (before: string, body: string): Promise<ExploreReport> =>
  explore({
    inputs: [
      {
        name: 'test.c',
        text: `#include <klee/klee.h>
#include <stdlib.h>
${before}
int main(void) {
  unsigned i = klee_int("i");
  if (i >= ROOM) return 0;
  ${body}
}`,
      },
    ],
  });

const places = ({ findings }: ExploreReport): string[] =>
  findings.map(({ code, location }) => `${code}:${location.line}`).sort();

const labels = numbers.map(n => `l${n}: if (i == ${n} && ${n} % 10 == 9) abort(); return ${n};`).join('\n');
const table = `static void *const table[ROOM] = { ${numbers.map(n => `&&l${n}`).join(', ')} };`;

test('each of many labels has a path', async () => {
  const report = await source(`#define ROOM ${COUNT}`, `${table} goto *table[i];\n${labels}`);
  expect(places(report)).toEqual([17, 27, 37, 47].map(line => `abort:${line}`));
  expect(report.summary).toBe(`all ${COUNT + 1} paths explored`);
});

test('an entry without a label is an error at the goto, also where several gotos share the jump', async () => {
  const report = await source(
    `#define ROOM ${COUNT + 2}`,
    `${table}\n  if (i == 3) goto *table[i + 1];\n  goto *table[i];\n${labels}`,
  );
  expect(places(report)).toContain('wild-pointer:9');
  expect(places(report).filter(place => place.startsWith('wild'))).toHaveLength(1);
  expect(report.summary).toMatch(/^all \d+ paths explored$/);
});

test('each of many functions is called on a path', async () => {
  const functions = numbers
    .map(n => `static int f${n}(int x) { if (${n} == 33) abort(); return x + ${n}; }`)
    .join('\n');
  const report = await source(
    `#define ROOM ${COUNT}\n${functions}`,
    `static int (*const table[])(int) = { ${numbers.map(n => `f${n}`).join(', ')} };
  return table[i](1);`,
  );
  expect(report.findings).toMatchObject([{ code: 'abort', location: { function: 'f33' } }]);
  expect(report.summary).toBe(`all ${COUNT + 1} paths explored`);
});

test('so is each of many cases', async () => {
  const cases = numbers.map(n => `case ${n}: if (${n} == 17) abort(); return ${n + 1};`).join('\n');
  const report = await source(`#define ROOM ${COUNT + 9}`, `switch (i) {\n${cases}\n}\nreturn 0;`);
  expect(report.findings).toMatchObject([{ code: 'abort', location: { line: 8 + 17 } }]);
  expect(report.summary).toBe(`all ${COUNT + 2} paths explored`);
});
