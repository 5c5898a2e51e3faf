/** What a program writes to files, pipes and text, and reads back, keeps all its values. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { check, type ExploreOptions, explore } from '../../src/index.js';

const path = join(import.meta.dirname, 'files.c');
/** Under `check` the program writes to the working folder. */
afterAll(() => rmSync('f', { force: true }));
const functions = [
  'appended',
  'characters',
  'descriptors',
  'mapped',
  'overwritten',
  'pipes',
  'places',
  'printed',
  'redirected',
  'stream',
  'texts',
];

test('all values are read back, by every function', async () => {
  const report = await explore({ inputs: [path], clangFlags: ['-w'] });
  expect(report.findings.map(({ code }) => code)).toEqual(functions.map(() => 'assertion-failure'));
  expect(report.findings.map(({ location }) => location.function).sort()).toEqual(functions);
  expect(report.summary).toMatch(/^all \d+ paths explored$/);
});

test('the twin holds for all values', async () => {
  const report = await explore({ inputs: [path], clangFlags: ['-DFIXED', '-w'] });
  expect(report.findings).toEqual([]);
  expect(report.summary).toMatch(/^all \d+ paths explored$/);
});

const source = (body: string, more: Partial<ExploreOptions> = {}): ExploreOptions => ({
  inputs: [
    {
      name: 'test.c',
      text: `#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <klee/klee.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
${body}
}`,
    },
  ],
  ...more,
});

test('files that are inputs obey their mode, and can be written', async () => {
  const report = await explore(
    source(
      `int fd = open("A", O_RDONLY), out = open("A", O_WRONLY);
      char text[4];
      assert(write(fd, "x", 1) == -1 && errno == EBADF && read(out, text, 1) == -1 && errno == EBADF);
      assert(write(out, "x", 1) == 1 && read(fd, text, 4) == 4 && text[0] == 'x');
      assert(!klee_is_symbolic(text[0]) && klee_is_symbolic(text[1]));
      if (text[1] == 'y') return 1;
      return 0;`,
      { symFiles: { count: 1, bytes: 4 } },
    ),
  );
  expect(report.findings).toEqual([]);
  expect(report.summary).toBe('all 2 paths explored');
});

test('a number that is printed to a readable text is concretized, which is reported', async () => {
  const printing = [
    'FILE *f = fopen("f", "w"); fprintf(f, "%d", n); fclose(f);',
    'char t[20]; sprintf(t, "%d", n);',
    'char *t; size_t size; FILE *f = open_memstream(&t, &size); fprintf(f, "%u", n); fclose(f); klee_assume(t != 0);',
    'freopen("f", "w", stdout); printf("%d", n);',
    'dup2(open("f", O_CREAT | O_RDWR, 0600), 1); dprintf(1, "%d", n);',
    'int ends[2]; pipe(ends); dup2(ends[1], 1); printf("%d", n); fflush(stdout);',
  ];
  const text = `int n = klee_int("n");
    switch (klee_range(0, ${printing.length}, "way")) {
    ${printing.map((statement, i) => `case ${i}: { ${statement} break; }`).join('\n')}
    }
    return 0;`;
  const report = await explore({ ...source(text), checks: ['spatial'], clangFlags: ['-w'] });
  expect(report.summary).toBe(`${printing.length} paths explored; a printed number was concretized`);
  expect(report.chosen?.map(({ location }) => location.line).sort()).toEqual(
    printing.map((_, i) => 10 + i).sort(),
  );
});

test('printing to the terminal adds no constraint', async () => {
  const report = await explore(
    source(`int n = klee_int("n");
      double d = n;
      printf("%d %*c %5.2f", n, n & 7, n, d);
      fprintf(stderr, "%d", n);
      dprintf(2, "%c%d", n, n);
      if (n == 77) return 1;
      return 0;`),
  );
  expect(report.findings).toEqual([]);
  expect(report.summary).toBe('all 2 paths explored');
  expect(report.chosen).toBeUndefined();
});

test('a file name is concretized, which is reported; the path continues with it', async () => {
  const report = await explore(
    source(`char name[2] = "A", c;
      klee_make_symbolic(name, 1, "name");
      klee_assume(name[0] >= 'a' & name[0] < 'a' + 20);
      int fd = open(name, O_CREAT | O_RDWR, 0600);
      assert(fd >= 0);
      assert(open("a", O_RDONLY) < 0 || name[0] == 'a');
      return 0;`),
  );
  expect(report.findings).toEqual([]);
  expect(report.summary).toBe('1 path explored; a symbolic file name was concretized');
  expect(report.chosen).toMatchObject([{ location: { line: 11 }, paths: 1 }]);
});

test('check runs the same program with one value', async () => {
  const report = await check({ inputs: [path], clangFlags: ['-DFIXED', '-w'] });
  expect(report.findings).toEqual([]);
});
