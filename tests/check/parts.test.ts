/**
 * A program so large that its code is compiled in parts (docs/decisions/0078): what crosses from
 * one to the other.
 */
import { expect, test } from 'vitest';
import { largestPart } from '../../src/api/check-build.js';
import { sharedToolchain } from '../../src/api/shared-toolchain.js';
import { readIr } from '../../src/front/link-program.js';
import { valueOrThrow } from '../../src/front/step-outcome.js';
import { instrument } from '../../src/monitor/instrument/instrument.js';
import { checkC } from './check-c.js';

/** Nothing to check, and more instructions than two parts have. */
const padding = Array.from({ length: 6 }, (_, i) => {
  const body = '  x = (x ^ x >> 3) + 7u;\n'.repeat(400);
  return `unsigned padding${i}(unsigned x) {\n${body}  return x;\n}\n`;
});

const program = `#include <stdlib.h>
static int calls;
static int *fresh(int n) { calls++; return malloc(n * sizeof(int)); }
__attribute__((constructor)) static void begin(void) { calls = 10; }
static int (*chosen)(int *, int);
${padding.join('')}
static int at(int *list, int i) { return list[i]; }
static int first(int *list, int i) { return at(list, i) + calls; }
int main(void) {
  chosen = first;
  int *list = fresh(4);
  for (int i = 0; i < 4; i++) list[i] = i * i;
  if (chosen(list, 3) != 20 || padding3(1) != padding4(1)) abort();
  int last = at(list, 4);
  free(list);
  return last;
}
`;

test('the program is large enough to be divided', async () => {
  const toolchain = await sharedToolchain();
  const ir = await toolchain.compileToIr({ path: 'test.c', content: new TextEncoder().encode(program) }, {});
  const module = valueOrThrow(readIr(valueOrThrow(ir), 'test.c'));
  const all = { temporal: true, init: true, keepGoing: false, optimise: true, preAnalysis: true };
  const { code, sites } = instrument(module, { ...all, id: '0123456789abcdef', largestPart });
  expect(code.length).toBeGreaterThan(2);
  expect(sites.length).toBe(code.length);
});

test('static functions and variables, constructors, pointers to functions, stacks', async () => {
  const lineOf = (part: string) => program.split('\n').findIndex(line => line.includes(part)) + 1;
  const { findings } = await checkC(program);
  expect(findings.map(({ code }) => code)).toEqual(['heap-buffer-overflow']);
  const { stack, object } = findings[0]!;
  expect(stack!.map(frame => [frame.function, frame.line])).toEqual([
    ['at', lineOf('static int at(')],
    ['main', lineOf('int last = at(')],
  ]);
  expect(object!.allocated!.map(frame => [frame.function, frame.line])).toContainEqual([
    'fresh',
    lineOf('static int *fresh'),
  ]);
});
