/** `--external` calls functions of a shared library natively, on the objects of a path. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ExploreOptions, type ExploreReport, explore } from '../../src/index.js';
import { hasGcc } from '../libc/harness.js';

function hasKoffi(): boolean {
  try {
    createRequire(import.meta.url).resolve('koffi');
    return true;
  } catch {
    return false;
  }
}

const root = mkdtempSync(join(tmpdir(), 'redzone-external-'));
const library = join(root, 'libexternal.so');
afterAll(() => rmSync(root, { recursive: true }));

const program = `
  #include <assert.h>
  #include <klee/klee.h>
  #include <stdlib.h>
  struct pair { int x, y; char *name; };
  static const int numbers[4] = {1, 2, 3, 4};
  int ext_sum(const int *numbers, int count);
  void ext_fill(struct pair *p);
  double ext_half(double x);
  void ext_crash(void);
  void ext_hang(void);
  int main(void) {
    int n = klee_range(0, 5, "n");
    assert(ext_sum(numbers, 4) == 10);
    struct pair p = {1, 2, malloc(3)};
    p.name[0] = 'a', p.name[1] = 'b';
    ext_fill(&p);
    assert(p.x == 7 && p.y == 2 && p.name[0] == 'a' && p.name[1] == 'Z' && ext_half(5) == 2.5);
    if (n == 3) ext_crash();
    if (n == 4) ext_hang();
    free(p.name);
    return 0;
  }`;

const run = (options: Partial<ExploreOptions> = {}): Promise<ExploreReport> =>
  explore({ inputs: [{ name: 'test.c', text: program }], ...options });

test('without it the first such function ends the path and is named', async () => {
  const report = await run();
  expect(report.findings).toMatchObject([
    { code: 'unsupported', message: 'the function `ext_sum` is not available', location: { line: 14 } },
  ]);
  expect(report.verdict).toBe('inconclusive');
});

test.runIf(hasKoffi())('a missing library is named', async () => {
  const { findings } = await run({ external: [join(root, 'none.so')] });
  expect(findings[0]?.message).toMatch(
    /^the function `ext_sum` is not available: .*none.so cannot be loaded$/,
  );
});

describe.runIf(hasGcc && hasKoffi())('in a library', () => {
  beforeAll(() => {
    const source = join(root, 'external.c');
    writeFileSync(
      source,
      `struct pair { int x, y; char *name; };
      int ext_sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
      void ext_fill(struct pair *p) { p->x = 7; p->name[1] = 'Z'; }
      double ext_half(double x) { return x / 2; }
      void ext_crash(void) { *(volatile int *)0 = 1; }
      void ext_hang(void) { for (;;) ; }
      int mincore(void *, unsigned long, unsigned char *);
      int ext_touch(char *p) { return *p; }
      int ext_is_resident(unsigned long page) { unsigned char c; return mincore((void *)page, 4096, &c) == 0 && c & 1; }`,
    );
    execFileSync('gcc', ['-shared', '-fPIC', '-w', '-o', library, source]);
  });

  test('it accesses the objects, changes are copied back, and a crash or a hang is one finding on one path', async () => {
    const report = await run({ external: [library], maxExternalMs: 3000 });
    expect(report.findings.map(({ code, message, location }) => [code, message, location.line])).toEqual(
      expect.arrayContaining([
        ['abort', 'the external function `ext_crash` crashed (SIGSEGV)', 19],
        ['infinite-loop', 'the external function `ext_hang` did not return within 3 s', 20],
      ]),
    );
    expect(report.findings).toHaveLength(2);
    expect(report.stats).toMatchObject({ paths: { completed: 1, error: 2, partial: 0 }, externalCalls: 5 });
  });

  test('pages are returned to the system when more than 4 MiB are in use', async () => {
    // Each block has its own addresses and 64 pages, so 16 of them are 4 MiB.
    const text = `
      #include <stdlib.h>
      int ext_touch(char *p);
      int ext_is_resident(unsigned long page);
      int main(void) {
        unsigned long pages[40];
        int count = 0;
        for (int i = 0; i < 40; i++) {
          char *p = calloc(64, 4096);
          pages[i] = (unsigned long)p + 4096 & ~4095ul;
          ext_touch(p);
          free(p);
        }
        for (int i = 0; i < 40; i++) count += ext_is_resident(pages[i]);
        return count;
      }`;
    const folder = join(root, 'pages');
    const report = await explore({ inputs: [{ name: 'test.c', text }], external: [library], folder });
    expect(report.summary).toBe('the only path explored');
    const { status } = JSON.parse(readFileSync(join(folder, '000001.json'), 'utf8')).end;
    expect(status).toBeGreaterThan(0);
    expect(status).toBeLessThanOrEqual(16);
  });
});
