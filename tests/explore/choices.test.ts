/**
 * Every value that a path may concretize: the documentation lists it, and a note names it and its
 * line when it happens.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Choice, choices } from '../../src/explore/state/choices.js';
import { type ExploreOptions, type ExploreReport, explore } from '../../src/index.js';

/**
 * A statement for each, on symbolic values with more than 16 values: `n` of 0 to 99, `big` of any,
 * `f`, `bytes`. Undefined: no C leads there, or see the comment.
 */
const statements: Readonly<Record<Choice, string | undefined>> = {
  'a symbolic float': 'return fmodf(f, 3) > 1;',
  'a symbolic integer that becomes a float': 'long double l = big; return l > 5;',
  // See the test of its own below.
  'an input of a hard query about floats': undefined,
  'a printed number': 'sprintf(text, "%d", big);',
  'a symbolic file name': 'text[0] = bytes[0] | 64, text[1] = 0; return open(text, O_RDONLY) < 0;',
  'a symbolic argument of the host': 'return lseek(open("f", O_CREAT | O_RDWR, 0600), n, SEEK_SET) > 3;',
  'a symbolic pointer given to the host': 'return read(0, text + n, 1) > 0;',
  // tests/explore/external.test.ts: they need a native library.
  'a symbolic argument of an external function': undefined,
  'symbolic memory of an external function': undefined,
  'the symbolic size of an allocation': 'klee_assume(big > 5000 & big < 100000); free(malloc(big));',
  // Only the library takes such blocks.
  'the size of a block of the library': undefined,
  'a symbolic alignment': 'free(aligned_alloc(n, 64));',
  'the symbolic length of an array': 'char array[n + 1]; array[0] = 1; return array[0];',
  'the symbolic length of a range': 'return memchr(text, 1, n) != 0;',
  'the symbolic start of a range': 'memcpy(text, large + big % 9000, 4);',
  'the symbolic start of a string': 'return strlen(text + n) > 3;',
  'a symbolic pointer to a string': 'sprintf(text, large + n, n);',
  'a symbolic offset into a large object': 'large[big % 10000] = 1;',
  // clang copies structures as bytes.
  'a symbolic offset of a struct': undefined,
  'a symbolic index of a vector': 'vector v = {1, 2, 3}; return (v + v)[n & 31] > 2;',
  // clang expands va_arg.
  'a symbolic va_list': undefined,
  'a symbolic jump buffer': 'return setjmp(buffers[n % 20]);',
  'the symbolic start of an input': 'klee_make_symbolic(text + n, 4, "input");',
  'the symbolic name of an input': 'bytes[1] = 0; klee_make_symbolic(text, 4, bytes);',
  'a symbolic pointer': 'return klee_get_obj_size(text + n) > 5;',
  // tests/explore/unchecked.test.ts
  'the length of a range that is not checked': undefined,
  // tests/plugins/plugins.test.ts
  'a symbolic value that a plug-in receives': undefined,
};

const cases = choices.filter(choice => statements[choice] !== undefined);
const before = `#include <fcntl.h>
#include <klee/klee.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
typedef char vector __attribute__((vector_size(32)));
static char large[10000], text[200];
static jmp_buf buffers[20];
int main(void) {
  unsigned n = klee_range(0, 100, "n"), big;
  float f;
  char bytes[4];
  klee_make_symbolic(&big, sizeof big, "big");
  klee_make_symbolic(&f, sizeof f, "f");
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  switch (klee_range(0, ${cases.length}, "which")) {`;
const program = `${before}
${cases.map((choice, i) => `  case ${i}: { ${statements[choice]} break; }`).join('\n')}
  }
  return 0;
}`;

const run = (source: string, options: Partial<ExploreOptions> = {}): Promise<ExploreReport> =>
  explore({
    inputs: [{ name: 'test.c', text: source }],
    clangFlags: ['-w'],
    checks: ['spatial'],
    ...options,
  });

test('each is reported, by its name and with its line', async () => {
  const report = await run(program);
  for (const choice of cases) expect(report.summary).toContain(`${choice} was concretized`);
  const first = before.split('\n').length + 1;
  expect(report.chosen?.map(({ location }) => location.line).sort((a, b) => a - b)).toEqual(
    cases.map((_, i) => first + i),
  );
  expect(report.findings).toEqual([]);
  expect(report.verdict).toBe('inconclusive');
});

test('nothing is reported where few values are left, and each has a path', async () => {
  const few = program.replace('klee_range(0, 100, "n")', 'klee_range(1, 3, "n")');
  const report = await run(few.replace('"big");', '"big"); klee_assume(big < 4); klee_assume(f == 1);'));
  expect(report.summary).not.toMatch(/length|start|alignment|jump buffer|vector|given to the host|printed/);
});

test('the inputs of a hard query about floats are reported', async () => {
  const report = await run(
    `#include <klee/klee.h>
    int main(void) {
      double a, b;
      klee_make_symbolic(&a, sizeof a, "a");
      klee_make_symbolic(&b, sizeof b, "b");
      if (a > 1 && a < 2 && b > 1 && b < 2 && a * b * (a + b) == 5.3 + a / b) return 1;
      return 0;
    }`,
    { maxQueryConflicts: 200 },
  );
  expect(report.summary).toBe('5 paths explored; an input of a hard query about floats was concretized');
  expect(report.chosen).toMatchObject([{ location: { line: 6 }, paths: 1 }]);
});

test('the documentation lists all of them, and no others', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/explore.md'), 'utf8');
  const [, table] = /\| concretized \| when \|\n\|---\|---\|\n((?:\|.*\n)*)/.exec(text)!;
  const listed = table!
    .trim()
    .split('\n')
    .flatMap(row => row.split(' | ')[0]!.replace('| ', '').split(', '));
  expect(listed.sort()).toEqual([...choices, 'a read outside live objects'].sort());
});
