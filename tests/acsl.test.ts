/**
 * Executable ACSL across rooms: what the golden programs `tests/golden/acsl-*.c` cannot express.
 * Errors in annotations, locations, headers, options, and programs without annotations.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check, compileToIr } from '../src/index.js';
import { termProgram } from './acsl-terms.js';

const checkC = (text: string, options: Partial<Parameters<typeof check>[0]> = {}): ReturnType<typeof check> =>
  check({ inputs: [{ name: 'a.c', text }], maxTimeMs: 60_000, ...options });

/** `line:column message` of each error, and its help. */
async function errorsOf(text: string): Promise<string[]> {
  try {
    await compileToIr({ inputs: [{ name: 'a.c', text }], woven: true });
  } catch (error) {
    const { diagnostics } = error as {
      diagnostics: { message: string; help?: string; location?: { line: number; column: number } }[];
    };
    return diagnostics.map(
      ({ message, help, location }) =>
        `${location?.line}:${location?.column} ${message}${help === undefined ? '' : ` (${help})`}`,
    );
  }
  return [];
}

test('all errors in annotations are reported, each at its location inside the comment', async () => {
  const source = String.raw`
struct s { int count; };
static int global;
/*@ requies global > 0; */
int misspelt(int n) { return n; }
/*@ requires n > 0
    ensures \result == n; */
int unfinished(int n) { return n; }
int inside(int n, struct s *s, int *p, void *v) {
  //@ assert m > 0;
  //@ assert glbal > 0;
  //@ assert s->cuont == 1;
  //@ assert n + s == 1;
  //@ assert *n == 1;
  //@ assert \vlaid(p);
  //@ assert \forall integer i; i > 0 ==> p[i] == 0;
  //@ assert \forall integer i, j; 0 <= i < j ==> i < 9;
  //@ assert \result == 0;
  //@ assert \at(n, Nowhere) == 1;
  //@ assert undefined_predicate(n);
  //@ assert inside(n, s, p, v) == 1;
  //@ assert *v == 0;
  //@ assert n == 1 &&;
  //@ loop invariant n > 0;
  n++;
  //@ loop invrient n > 0;
  while (n < 3) n++;
  //@ assert (n + 1;
  //@ assert s.count == 0;
  //@ assert p == 5;
  //@ assert \let q = p; q[0] == \exists int *r; r == q;
  //@ assert \exists int *r; *r == 1;
  return n;
}
/*@ inductive small(integer n) { case zero: small(0); case next: \forall integer n; small(n) ==> small(n + 1); } */
/*@ requires \fresh(p, 4); */ int before(int *p) { return *p; }
/*@ ensures small(*p); */ int after(int *p) { return *p; }
/*@ exits *p == 0; */ int ends(int *p) { return *p; }
/*@ requires n > 0; */
int not_a_function;
//@ logic integer f(integer n) = n + missing;
//@ assert global == 0;
`;
  expect(await errorsOf(source)).toEqual([
    "4:5 expected an annotation, not 'requies' (did you mean 'requires'?)",
    "7:5 expected ';' after 'requires', not 'ensures'",
    String.raw`15:14 unknown word '\vlaid' (did you mean '\valid'?)`,
    "23:23 expected a term, not ';'",
    "26:12 expected invariant, variant or assigns after 'loop', not 'invrient' (did you mean 'invariant'?)",
    "28:20 expected ')' to close the parenthesis, not ';'",
    "31:42 expected ';' after 'assert', not 'int'",
    '39:1 a contract must stand before the declaration of a function',
    '42:1 this annotation belongs into the body of a function',
    "41:38 'missing' is not declared here",
    "10:14 'm' is not declared here",
    "11:14 'glbal' is not declared here (did you mean 'global'?)",
    "12:14 'struct s' has no member 'cuont' (did you mean 'count'?)",
    "13:23 values of type 'struct s *' and integer do not go together",
    '14:15 expected a pointer, not a value of type integer',
    "16:30 the quantifier over 'i' cannot be executed: nothing bounds 'i' from above (write the range first, as in '\\forall integer i; 0 <= i < n ==> …')",
    "17:30 the quantifier over 'i' cannot be executed: nothing bounds 'i' from above (write the range first, as in '\\forall integer i; 0 <= i < n ==> …')",
    '18:14 \\result has a meaning only in the ensures of a function that returns a value',
    "19:21 the label 'Nowhere' is not known here",
    "20:14 'undefined_predicate' is not a logic function or predicate",
    "21:14 'inside' is a function of C, which annotations cannot call; define it with 'logic' or 'predicate'",
    "22:14 a pointer to void leads to no value; cast it first, as in '(char *)p'",
    '24:3 a loop annotation must stand before a loop',
    "29:14 'struct s *' is not a struct or a union, so it has no member 'count' (use '->' to reach through a pointer)",
    "30:19 values of type 'int *' and integer do not go together",
    "32:27 a quantifier over values of type 'int *' cannot be executed (bound it on both sides, as in '\\forall int *r; a <= r < a + n ==> …')",
    String.raw`36:14 \fresh has a meaning only in a postcondition`,
    "37:13 'small' has no definition that can be executed",
    "38:12 'p' is not declared here ('exits' is evaluated when the program ends: it knows global variables and \\exit_status)",
  ]);
});

test('without annotations nothing changes: the same IR, with weaving and without', async () => {
  const text =
    '#include <stdio.h>\n/* a comment */\nint main(void) { puts("/* no @ here */"); return 0; } // end\n';
  const inputs = [{ name: 'plain.c', text }];
  const { readModules } = await import('../src/api/read-program.js');
  const { writeModule } = await import('../src/ir/writer.js');
  const [woven, plain] = await Promise.all([
    readModules({ inputs, acsl: true }),
    readModules({ inputs, acsl: false }),
  ]);
  expect(woven.map(writeModule)).toEqual(plain.map(writeModule));
  expect((await compileToIr({ inputs, woven: true })).text).toBe('');
});

const inversion = (step: string, last: string): string => String.raw`
#include <stdlib.h>
int main(void) {
  int a[] = {1, 2, 3, 4}, len = 4, i, *a_inv;
  /*@ assert len > 0; */
  a_inv = malloc(sizeof(int) * len);
  if (a_inv == NULL) return 1;
  for (i = len - 1; i >= ${last}; i${step}) {
    /*@ assert \valid(a + i); */
    a_inv[len - i - 1] = a[i];
  }
  /*@ assert \forall integer k; 0 <= k < len ==> a_inv[k] == a[len - 1 - k]; */
  free(a_inv);
  return 0;
}
`;

describe('the array inversion of the hybrid-monitoring paper', () => {
  test('runs, and its woven form is what the paper calls p′', async () => {
    expect(await checkC(inversion('--', '0'))).toMatchObject({ verdict: 'clean', program: { exit: 0 } });
    const { text } = await compileToIr({
      inputs: [{ name: 'a.c', text: inversion('--', '0') }],
      woven: true,
    });
    expect(text).toContain('__rz_acsl_valid(');
  });

  test('an index is one too large, and the annotation is reported before the access', async () => {
    const { findings } = await checkC(inversion('--', '-1'));
    expect(findings).toMatchObject([
      {
        code: 'acsl-violation',
        annotation: 'assert',
        clause: '\\valid(a + i)',
        location: { file: 'a.c', line: 9, column: 16, function: 'main' },
      },
    ]);
    expect(findings[0]?.values).toContainEqual({ term: 'i', value: '-1' });
  });
});

test('annotations can be switched off, and do not change lines and columns of the program when they are on', async () => {
  const text = String.raw`
/*@ ensures \result > 5; */
static int f(int *p) { return    p[3]; }
int main(void) { int a[3] = {1, 2, 3};
  /*@ assert a[0] == 1; */ int x = f(a); return x; }
`;
  const [on, off] = [await checkC(text), await checkC(text, { acsl: 'off' })];
  expect(on.findings).toEqual(off.findings);
  expect(on.findings).toMatchObject([
    { code: 'stack-buffer-overflow', location: { line: 3, column: 34, function: 'f' } },
  ]);
});

test('annotations in a header are reported with the name of the header', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'redzone-acsl-'));
  writeFileSync(join(folder, 'clamp.h'), '//@ requires low <= high;\nint clamp(int x, int low, int high);\n');
  writeFileSync(
    join(folder, 'clamp.c'),
    '#include "clamp.h"\nint clamp(int x, int l, int h) { return x < l ? l : x > h ? h : x; }\n',
  );
  writeFileSync(join(folder, 'main.c'), '#include "clamp.h"\nint main(void) { return clamp(1, 5, 3); }\n');
  const { findings } = await check({
    inputs: [join(folder, 'main.c'), join(folder, 'clamp.c')],
  });
  expect(findings).toMatchObject([
    { annotation: 'requires', location: { file: join(folder, 'clamp.h'), line: 1, column: 14 } },
  ]);
});

test('\\valid_function uses the types of functions in other files and in the library', async () => {
  const asked = String.raw`
typedef int (*op)(int);
extern op own, wide, ofLibrary, ofLongs;
int main(void) {
  //@ assert \valid_function(own) && \valid_function(ofLibrary);
  //@ assert \valid_function((long (*)(int))wide) && !\valid_function((op)0);
  //@ assert \valid_function(wide);
  //@ assert \valid_function(ofLongs);
  return 0;
}
`;
  const defined = `
#include <stdlib.h>
typedef int number;
static number half(const number x) { return x / 2; }
static long widen(int x) { return x; }
int (*own)(int) = half, (*wide)(int) = (int (*)(int))widen;
int (*ofLibrary)(int) = abs, (*ofLongs)(int) = (int (*)(int))labs;
`;
  const { findings } = await check({
    inputs: [
      { name: 'a.c', text: asked },
      { name: 'b.c', text: defined },
    ],
    keepGoing: true,
  });
  expect(findings.map(({ location }) => location.line)).toEqual([7, 8]);
});

test('--only-acsl checks annotations and nothing else', async () => {
  const text = String.raw`
#include <stdlib.h>
int main(void) {
  int *p = malloc(4), unused[2], x;
  if (p == NULL) return 1;
  unused[1] = 3;
  int *far = p + 100;
  x = *(far - 99 + unused[1] * 0);
  /*@ assert \valid(p) && !\initialized(p); */
  p[0] = x;
  /*@ assert \initialized(p); */
  free(p);
  /*@ assert \valid(p); */
  return 0;
}
`;
  expect((await checkC(text)).findings).toMatchObject([{ code: 'heap-buffer-overflow' }]);
  expect((await checkC(text, { onlyAcsl: true })).findings).toMatchObject([
    { code: 'acsl-violation', location: { line: 13 } },
  ]);
});

test('random integer terms have the values that BigInt gives them', async () => {
  const { text } = termProgram(30, 1, 0n);
  expect(await checkC(text, { keepGoing: true })).toMatchObject({ verdict: 'clean', findings: [] });
});

test('and no others: each claim that is off by one is reported', async () => {
  const { text, firstLine } = termProgram(10, 2, 1n);
  const { findings } = await checkC(text, { keepGoing: true });
  expect(findings.map(({ location }) => location.line - firstLine)).toEqual([...Array(10).keys()]);
});
