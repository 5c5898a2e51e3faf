/**
 * printf with many generated cases: double against the machine's own, long double (a quad here)
 * against BigInt.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Random } from '../../src/support/random.js';
import { build, hasGcc, nativeRun, run } from './harness.js';
import { printfCases } from './printf-cases.js';
import { decimalOf, quadHex, randomQuad } from './quad.js';

describe.runIf(hasGcc)('generated formats print as they do natively', () => {
  test('20,000 cases', async () => {
    const driver = readFileSync(join(import.meta.dirname, 'programs/printf-driver.c'), 'utf8');
    const cases = printfCases(2, 20_000);
    const stdin = `${cases.join('\n')}\n`;
    const here = run(await build(driver), { stdin });
    expect(here.reason).toBe('');
    const ours = here.stdout.split('\n');
    const theirs = nativeRun(driver, { stdin }).stdout.split('\n');
    const wrong = cases
      .map((line, i) => [line, ours[i], theirs[i]])
      .filter(([, our, their]) => our !== their);
    expect(wrong.slice(0, 10)).toEqual([]);
  });
});

test('10,000 quads, against exact arithmetic', async () => {
  const random = new Random(3);
  const lines: string[] = [];
  const expected: string[] = [];
  while (lines.length < 10_000) {
    const quad = randomQuad(random, lines.length % 20 === 0);
    const precision = random.below(lines.length % 100 === 0 ? 500 : 45);
    const style = random.below(2) ? 'f' : 'e';
    lines.push(`%.${precision}L${style}\t${quadHex(quad)}`);
    expected.push(decimalOf(quad, style, precision));
  }
  const program = await build(`
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    int main(void) {
      static char line[4096];
      while (fgets(line, sizeof line, stdin)) {
        char *value = strchr(line, '\\t');
        *value++ = 0;
        uint64_t halves[2];
        halves[0] = strtoull(value + 16, NULL, 16);
        value[16] = 0;
        halves[1] = strtoull(value, NULL, 16);
        long double number;
        memcpy(&number, halves, sizeof number);
        printf(line, number);
        putchar('\\n');
      }
    }`);
  const here = run(program, { stdin: `${lines.join('\n')}\n` });
  expect(here.reason).toBe('');
  const ours = here.stdout.split('\n');
  const wrong = lines
    .map((line, i) => [line, ours[i], expected[i]])
    .filter(([, our, their]) => our !== their);
  expect(wrong.slice(0, 10)).toEqual([]);
});
