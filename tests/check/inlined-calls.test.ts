/**
 * Calls of small functions are replaced by their bodies in the finished binary: findings in them
 * have the same place and the same call stack, at both speeds.
 */
import { expect, test } from 'vitest';
import { checkC, expectedPlaces, places } from './check-c.js';

const program = `
  #include <ctype.h>
  #include <stdio.h>
  #include <stdlib.h>
  static int next(int i) { return i + 1; }            // OVERFLOW
  static int nth(const int *list, int i) { return list[i]; }   // READ
  static void put(char *text, int i) { text[i] = 'x'; }        // WRITE
  static int outer(const int *list, int i) { return nth(list, next(i)) + 1; }  // CALL
  static int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
  int main(int argc, char **argv) {
    int bug = argc > 1 ? atoi(argv[1]) : 0;
    int *list = malloc(10 * sizeof *list), *fresh = malloc(sizeof *fresh), letters = 0, sum = 0;
    char *text = malloc(10);
    for (int i = 0; i < 10; i++) list[i] = i;
    for (int round = 0; round < 300; round++) {
      for (int i = 0; i < 10; i++) put(text, i), letters += isalpha(text[i]) != 0 && !isspace(i);
      for (int i = 0; i < 9; i++) sum += outer(list, i) + fact(i % 5);
    }
    if (letters != 2700 || sum != 29400) abort();
    for (int i = 0; i < 11; i++) {
      if (bug == 1) put(text, i);
      if (bug == 2) sum += outer(list, i);
      if (bug == 3) sum = next(2147483640 + i);
      if (bug == 4 && i == 10) sum += isspace(*fresh);    // => uninitialized-read
    }
    free(list), free(fresh), free(text);
    return sum == 0;
  }
`;

const bugs = [
  { line: 'WRITE', code: 'heap-buffer-overflow', stack: ['put', 'main'] },
  { line: 'READ', code: 'heap-buffer-overflow', stack: ['nth', 'outer', 'main'] },
  { line: 'OVERFLOW', code: 'signed-overflow', stack: ['next', 'main'] },
] as const;

const lineOf = (mark: string): number =>
  program.split('\n').findIndex(line => line.includes(`// ${mark}`)) + 1;

test.each(['quick', 'optimised'] as const)('errors in functions that are inlined, %s', async speed => {
  for (const [i, { line, code, stack }] of bugs.entries()) {
    const { findings } = await checkC(program, { speed, arguments: [`${i + 1}`] });
    expect(findings.map(finding => `${finding.code}:${finding.location.line}`)).toEqual([
      `${code}:${lineOf(line)}`,
    ]);
    expect(findings[0]!.stack.map(frame => frame.function)).toEqual(stack);
  }
  const undefinedArgument = await checkC(program, { speed, arguments: ['4'] });
  expect(places(undefinedArgument)).toEqual(expectedPlaces(program));
  expect((await checkC(program, { speed })).findings).toEqual([]);
});
