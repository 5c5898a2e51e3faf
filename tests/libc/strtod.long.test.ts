/**
 * strtod and strtof with many generated cases against the machine's own; strtold (a quad) against
 * BigInt.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Random } from '../../src/support/random.js';
import { build, hasGcc, nativeRun, run } from './harness.js';
import { nearestQuad, quadHex } from './quad.js';
import { comparable, strtodCases } from './strtod-cases.js';

describe.runIf(hasGcc)('generated numbers', () => {
  test('20,000 have the bits, the end and the errno that they have natively', async () => {
    const driver = readFileSync(join(import.meta.dirname, 'programs/strtod-driver.c'), 'utf8');
    const cases = strtodCases(2, 20_000);
    const stdin = `${cases.join('\n')}\n`;
    const here = run(await build(driver), { stdin });
    expect(here.reason).toBe('');
    const answers = (stdout: string) => comparable(cases, stdout.split('\n'));
    const ours = answers(here.stdout);
    const theirs = answers(nativeRun(driver, { stdin }).stdout);
    const wrong = cases
      .map((line, i) => [line, ours[i], theirs[i]])
      .filter(([, our, their]) => our !== their);
    expect(wrong.slice(0, 10)).toEqual([]);
  });
});

test('10,000 quads, against exact arithmetic', async () => {
  const random = new Random(4);
  const lines: string[] = [];
  const expected: string[] = [];
  while (lines.length < 10_000) {
    let digits = BigInt(1 + random.below(9));
    const count = random.below(lines.length % 100 === 0 ? 1000 : 60);
    for (let i = 0; i < count; i++) digits = digits * 10n + BigInt(random.below(10));
    const power = lines.length % 10 === 0 ? random.below(9900) - 4950 - count : random.below(80) - 40 - count;
    lines.push(`${digits}e${power}`);
    const quad = nearestQuad(digits, power);
    expected.push(quad ? quadHex(quad) : '7fff0000000000000000000000000000');
  }
  const program = await build(`
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    int main(void) {
      static char line[4096];
      while (fgets(line, sizeof line, stdin)) {
        long double number = strtold(line, NULL);
        uint64_t halves[2];
        memcpy(halves, &number, sizeof number);
        printf("%016lx%016lx\\n", halves[1], halves[0]);
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
