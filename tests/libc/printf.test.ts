/**
 * printf against the machine's own: a few hundred generated cases; `printf.long.test.ts` has many
 * more.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { build, hasGcc, nativeRun, run, runSource } from './harness.js';
import { printfCases } from './printf-cases.js';

const driver = readFileSync(join(import.meta.dirname, 'programs/printf-driver.c'), 'utf8');

describe.runIf(hasGcc)('generated formats print as they do natively', () => {
  test('a few hundred', async () => {
    const cases = printfCases(1, 600);
    const stdin = `${cases.join('\n')}\n`;
    const here = run(await build(driver), { stdin });
    expect(here.reason).toBe('');
    const ours = here.stdout.split('\n');
    const theirs = nativeRun(driver, { stdin }).stdout.split('\n');
    cases.forEach((line, i) => {
      expect(`${line} => ${ours[i]}`).toBe(`${line} => ${theirs[i]}`);
    });
  });
});

test('conversions that stdio handles itself', async () => {
  const { stdout } = await runSource(`
    #include <errno.h>
    #include <locale.h>
    #include <stdio.h>
    #include <wchar.h>
    int main(void) {
      setlocale(LC_ALL, "C.UTF-8");
      int at; signed char small; long wide;
      printf("[%s] [%.3s] [%.7s]\\n", (char *)0, (char *)0, (char *)0);
      printf("[%p] [%8p] [%p]\\n", (void *)0, (void *)0, (void *)0x1234);
      printf("abc%n def%hhn ghi%ln\\n", &at, &small, &wide);
      printf("%d %d %ld\\n", at, small, wide);
      errno = ENOENT;
      printf("%m|%5.2m|\\n");
      printf("%c%c%5c|%-5c|%lc|%ls|%.3ls|%6ls|\\n", 'a', 0x62, 'c', 'd', (wint_t)0x20ac, L"z\\u00fcri", L"\\u00e4\\u00f6", L"\\u00e4");
      printf("%5%|%y|%ld\\n", 5L);
      printf("%w8d %w16u %w32x %w64d %wf16d %b %#B\\n", 300, 70000, 255, 5L, 6L, 5, 6);
      printf("%.0f %.0f %.0f %.0f\\n", 0.5, 1.5, 2.5, 3.5);
      printf("%'d %'.2f\\n", 1234567, 1234567.891);
      printf("%Lf %Lg %La %.40Lf\\n", 1.5L, 1e4000L, 1.0L / 3, 0.1L);
      printf("%d\\n", snprintf(NULL, 0, "%5d|%s", 3, "abc"));
      return 0;
    }`);
  expect(stdout.split('\n')).toEqual([
    '[(null)] [] [(null)]',
    '[(nil)] [   (nil)] [0x1234]',
    'abc def ghi',
    '3 7 11',
    'No such file or directory|   No|',
    'ab    c|d    |€|züri|ä|    ä|',
    '%|%y|5',
    '44 4464 ff 5 6 101 0B110',
    '0 2 2 4',
    '1234567 1234567.89',
    '1.500000 1e+4000 0x1.5555555555555555555555555555p-2 0.1000000000000000000000000000000000048148',
    '9',
    '',
  ]);
});
