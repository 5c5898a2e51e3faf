/**
 * A pair of types at one place each; the long test has all places. Then functions that are declared
 * otherwise than defined.
 */
import { expect, test } from 'vitest';
import type { RunEvent } from '../../src/index.js';
import { checkC, places } from '../check/check-c.js';
import { allPlaces, callCases, callPreamble } from './call-types.js';
import { type Case, wrongCases } from './many-cases.js';

const cases = callCases(i => [allPlaces[i % allPlaces.length]!]);

test.each(['check', 'explore'] as const)('calls through pointers under %s', async engine => {
  expect(await wrongCases(engine, callPreamble, cases, ['-std=gnu11'])).toEqual([]);
});

/** Functions of the C library and of the program, without prototypes and with wrong ones. */
const declarations = `void abort(void);
int toupper();
void srand48();
long a64l();
char *strchrnul();
int ffsll(long);
double difftime(int, int);
struct pair { int quot, rem; };
struct pair div();
int __VERIFIER_nondet_int();
void *memalign();
void free();
int later();
int other();
int (*pointer)() = toupper;`;

const declared: readonly Case[] = (
  [
    ["if (toupper('a') != 'A') abort();", true],
    ['srand48(1L);', true],
    ['a64l("./");', true],
    ['if (*strchrnul("abc", 98) != 98) abort();', true],
    ['struct pair p = div(7, 2); if (p.quot != 3 || p.rem != 1) abort();', true],
    ["if (pointer('a') != 65) abort();", true],
    ['__VERIFIER_nondet_int();', true],
    ['free(memalign(16, 16));', true],
    ['if (later(1, 2.5f) != 3) abort();', true],
    ['if (other() != 7) abort();', true],
    ['srand48(1L, 2);', false],
    ['srand48();', false],
    ['srand48(2.5);', false],
    ['div(7);', false],
    ['pointer(1L);', false],
    ['ffsll(3);', true],
    ['difftime(1, 2);', false],
    ['other(1);', false],
  ] as const
).map(([code, isFitting]) => ({ name: code, code, expected: isFitting ? undefined : 'wild-pointer' }));

test.each(['check', 'explore'] as const)('functions without prototypes under %s', async engine => {
  const definitions = 'int later(int a, double b) { return a + (int)b; }\nint other() { return 7; }';
  expect(await wrongCases(engine, `${declarations}\n${definitions}`, declared, ['-std=gnu11'])).toEqual([]);
});

/** Calls that gcc 12 warns of, and that are correct at run time. */
const relaxed = `#include <stdlib.h>
typedef long word;
same(word x) { return (int)x; }
int nothing(void) { return; }
void something(void) { return 3; }
int main(void) {
  int *q = malloc(4);
  q = (char *)realloc(q, 8);
  int (*f)(unsigned long) = same;
  char *p = 5L;
  long n = q;
  something();
  undeclared(3);
  free(q);
  return f(n) == 0 || p == 0;
}
int undeclared(int x) { return x; }`;

test('calls that gcc warns about are reported', async () => {
  const warnings: string[] = [];
  const control = {
    onEvent: (event: RunEvent): void => {
      if (event.kind === 'warning')
        warnings.push(
          ...[...JSON.stringify(event.diagnostic).matchAll(/\[-W([\w-]+)\]/g)].map(match => match[1]!),
        );
    },
  };
  expect(places(await checkC(relaxed, {}, control))).toEqual([]);
  expect([...new Set(warnings)].sort()).toEqual([
    ...['implicit-function-declaration', 'implicit-int', 'incompatible-function-pointer-types'],
    ...['incompatible-pointer-types', 'int-conversion', 'return-mismatch'],
  ]);
  await expect(checkC(relaxed, { clangFlags: ['-Werror=int-conversion'] })).rejects.toThrow('int-conversion');
});
