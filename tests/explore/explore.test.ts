/** `explore` on whole programs: how many paths, which findings, which tests. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readKTest } from '../../src/explore/inputs/ktest.js';
import { type ExploreOptions, type ExploreReport, explore } from '../../src/index.js';

const programs = join(import.meta.dirname, 'programs');
const folder = mkdtempSync(join(tmpdir(), 'redzone-explore-'));
afterAll(() => rmSync(folder, { recursive: true }));

const program = (name: string, options: Partial<ExploreOptions> = {}): Promise<ExploreReport> =>
  explore({ inputs: [join(programs, name)], ...options });

const source = (text: string, options: Partial<ExploreOptions> = {}): Promise<ExploreReport> =>
  explore({ inputs: [{ name: 'test.c', text }], ...options });

/** The findings as `code:line`. */
const places = ({ findings }: ExploreReport): string[] =>
  findings.map(({ code, location }) => `${code}:${location.line}`).sort();

describe('paths', () => {
  test('get_sign has three, and their tests follow them', async () => {
    const report = await program('get-sign.c', { folder, tests: 'all' });
    expect(report).toMatchObject({
      verdict: 'clean',
      summary: 'all 3 paths explored',
      stats: { paths: { completed: 3, error: 0, partial: 0 }, tests: 3 },
    });
    expect(report.next).toBeUndefined();
    const tests = readdirSync(folder).filter(file => file.endsWith('.ktest'));
    expect(tests).toEqual(['000001.ktest', '000002.ktest', '000003.ktest']);
    const statuses = tests.map(file => {
      const read = readKTest(readFileSync(join(folder, file)));
      const { end } = JSON.parse(readFileSync(join(folder, file.replace('.ktest', '.json')), 'utf8'));
      if (read.kind !== 'test') throw new Error(read.problem);
      const [{ name, bytes }] = read.test.objects as [{ name: string; bytes: Uint8Array }];
      expect(name).toBe('x');
      const x = new DataView(bytes.buffer).getInt32(0, true);
      expect(end).toEqual({ kind: 'exit', status: x === 0 ? 10 : x > 0 ? 11 : 12 });
      return end.status;
    });
    expect(statuses.sort()).toEqual([10, 11, 12]);
  });

  test('sorting five numbers has 120 and no error', async () => {
    const report = await program('bubble-sort.c');
    expect(report.findings).toEqual([]);
    expect(report.summary).toBe('all 120 paths explored');
  });

  test('the matcher has 6,675 complete paths and overruns its pattern at two locations', async () => {
    const lines: string[] = [];
    const report = await explore(
      { inputs: [join(programs, 'matcher.c')] },
      {
        onEvent: event => {
          if (event.kind === 'progress') lines.push(event.text);
        },
      },
    );
    expect(report.stats.paths).toEqual({ completed: 6675, error: 763, partial: 0 });
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines)
      expect(line).toMatch(
        /^[\d,]+ paths?, [\d,]+ states?, \d+ with errors, \d+% of blocks, ([\d,]+|[\d.]+ M) instructions\/s, 0% solver$/,
      );
    const done = lines.map(line => Number.parseInt(line.replaceAll(',', ''), 10));
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done.at(-1)).toBeGreaterThan(0);
    expect(places(report)).toEqual(['stack-buffer-overflow:19', 'stack-buffer-overflow:20']);
  });

  test('every order of search finds the same paths, and twice the same order is the same run', async () => {
    const once = await program('bubble-sort.c', {
      search: 'random-path',
      seed: 7,
      clangFlags: ['-DCOUNT=4'],
    });
    for (const search of ['random-path', 'dfs', 'bfs', 'random-state', 'coverage', 'default'] as const) {
      const again = await program('bubble-sort.c', { search, seed: 7, clangFlags: ['-DCOUNT=4'] });
      expect(again.stats.paths).toEqual({ completed: 24, error: 0, partial: 0 });
      expect(again.stats.instructions).toBe(once.stats.instructions);
    }
  });

  test("counted limits end two runs at the same point: all files are equal, including a worker's tests and the statistics", async () => {
    const run = async (name: string): Promise<Record<string, string>> => {
      const below = join(folder, name);
      const { stats } = await program('matcher.c', {
        folder: below,
        seed: 5,
        tests: 'all',
        maxInstructions: 120_000,
      });
      // Beyond the first few hundred, files are written by a worker.
      expect(stats.tests).toBeGreaterThan(200);
      const files = readdirSync(below).filter(file => file !== 'timing.csv' && file !== 'journal');
      return Object.fromEntries(
        files.map(file => [file, readFileSync(join(below, file), 'latin1').replaceAll(below, '')]),
      );
    };
    const once = await run('once');
    expect(Object.keys(once)).toEqual(
      expect.arrayContaining(['coverage.info', 'findings.json', 'forks.dot', 'statistics.csv']),
    );
    const rows = once['statistics.csv']!.trim()
      .split('\n')
      .map(line => line.split(',').map(Number));
    const columns = [0, 1, 2].map(column => rows.slice(1).map(row => row[column]!));
    expect(rows.length).toBeGreaterThan(20);
    for (const counts of columns) expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(await run('again')).toEqual(once);
  });

  test('a limit is named, and the summary does not claim that all paths were explored', async () => {
    const report = await program('bubble-sort.c', { maxPaths: 5 });
    expect(report.verdict).toBe('inconclusive');
    expect(report.summary).toMatch(/^5 paths explored; \d+ left; the limit of 5 paths was reached$/);
  });
});

describe('compiled code', () => {
  test.each([
    ['mixture.c', [71, 131]],
    ['calls.c', [24, 45, 182]],
  ])('runs the same instructions with the same results as the interpreter: %s', async (name, statuses) => {
    const run = async (interpretOnly: boolean) => {
      const report = await program(name, { folder, interpretOnly, search: 'dfs', tests: 'all' });
      expect(report.findings).toEqual([]);
      const ends = readdirSync(folder)
        .filter(file => /^\d+\.json$/.test(file))
        .map(file => JSON.parse(readFileSync(join(folder, file), 'utf8')));
      return { ends, paths: report.stats.paths, instructions: report.stats.instructions };
    };
    const interpreted = await run(true);
    expect(await run(false)).toEqual(interpreted);
    expect(interpreted.paths).toEqual({ completed: 3, error: 0, partial: 0 });
    // What the same file gives, compiled by gcc for this machine.
    expect(new Set(interpreted.ends.map(({ end }) => end.status))).toEqual(new Set(statuses));
  });
});

describe('inputs', () => {
  test('a branch on each of klee, SV-COMP and redzone inputs', async () => {
    const report = await source(`
      #include <klee/klee.h>
      #include <redzone.h>
      int main(void) {
        unsigned char c;
        redzone_symbolic(&c, 1, "c");
        redzone_assume(c < 10);
        int n = __VERIFIER_nondet_int();
        int r = klee_range(0, 3, "r");
        if (c > 20) return 1;
        if (n > 5) return 2;
        if (r == 3) return 3;
        if (r == 2) return 4;
        return 0;
      }`);
    expect(report.stats.paths).toEqual({ completed: 3, error: 0, partial: 0 });
  });

  test('symbolic arguments, standard input and files', async () => {
    const text = `
      #include <stdio.h>
      #include <string.h>
      int main(int argc, char **argv) {
        if (argc == 2 && strcmp(argv[1], "-v") == 0) return 1;
        if (getchar() == 'x') return 2;
        FILE *file = fopen("A", "r");
        if (file && fgetc(file) == 'y') return 3;
        return 0;
      }`;
    const report = await source(text, {
      folder,
      tests: 'all',
      symArgs: { min: 0, max: 1, bytes: 2 },
      symStdin: 2,
      symFiles: { count: 1, bytes: 1 },
    });
    expect(report.findings).toEqual([]);
    const tests = readdirSync(folder)
      .filter(file => /^\d+\.json$/.test(file))
      .map(file => JSON.parse(readFileSync(join(folder, file), 'utf8')));
    expect([...new Set(tests.map(({ end }) => end.status))].sort()).toEqual([0, 1, 2, 3]);
    const counts = tests.flatMap(({ inputs }) =>
      inputs.filter(({ name }: { name: string }) => name === 'n_args'),
    );
    expect([...new Set(counts.map(({ unsigned }) => unsigned))].sort()).toEqual([0, 1]);
  });

  test('a symbolic index reads and writes an array', async () => {
    const report = await source(`
      #include <assert.h>
      #include <klee/klee.h>
      int main(void) {
        int table[4] = {3, 1, 4, 1};
        unsigned i, j;
        klee_make_symbolic(&i, sizeof i, "i");
        klee_make_symbolic(&j, sizeof j, "j");
        klee_assume(i < 4);
        klee_assume(j < 4);
        table[i] = 9;
        assert(table[j] == 9 || i != j);
        if (table[j] == 4) assert(j == 2 && i != 2);
        return 0;
      }`);
    expect(report.findings).toEqual([]);
    expect(report.verdict).toBe('clean');
  });

  test('a symbolic pointer forks over the objects it may point to', async () => {
    const report = await source(`
      #include <klee/klee.h>
      #include <stdlib.h>
      int a = 1, b = 2;
      int main(void) {
        int which;
        klee_make_symbolic(&which, sizeof which, "which");
        int *choices[3] = {&a, &b, NULL};
        klee_assume(which >= 0 & which < 3);
        return *choices[which];
      }`);
    expect(report.stats.paths).toEqual({ completed: 2, error: 1, partial: 0 });
    expect(places(report)).toEqual(['null-dereference:10']);
  });
});

test('a finding is confirmed by the monitor on the input of its test', async () => {
  const text = `
    #include <klee/klee.h>
    #include <stdlib.h>
    int main(void) {
      int n;
      klee_make_symbolic(&n, sizeof n, "n");
      klee_print_expr("n", n);
      char *p = malloc(8);
      if (n >= 0 && n < 9) p[n] = 1;
      free(p);
      return 0;
    }`;
  const { findings } = await source(text, { folder, confirm: true });
  expect(findings).toMatchObject([
    {
      code: 'heap-buffer-overflow',
      confirmed: true,
      notes: [
        { message: 'happens when `n` = 8' },
        { message: expect.stringMatching(/^reproduce with `redzone replay .*\.ktest test\.c`$/) },
      ],
      object: { kind: 'heap', bytes: 8 },
    },
  ]);
});

describe('the library', () => {
  test('a program prints, sorts and computes as it would', async () => {
    const report = await source(`
      #include <assert.h>
      #include <math.h>
      #include <setjmp.h>
      #include <stdarg.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      static jmp_buf back;
      struct pair { int a; char text[12]; };
      static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
      static int sum(int n, ...) {
        va_list list;
        va_start(list, n);
        int total = 0;
        while (n--) total += va_arg(list, int);
        double last = va_arg(list, double);
        va_end(list);
        return total + (int)last;
      }
      static struct pair twice(struct pair p) { p.a *= 2; return p; }
      static void leave(int depth) { if (depth == 0) longjmp(back, 7); leave(depth - 1); }
      int main(void) {
        int numbers[] = {5, 3, 4, 1, 2};
        qsort(numbers, 5, sizeof *numbers, compare);
        char text[64];
        snprintf(text, sizeof text, "%d%d%d %s %.2f %lx", numbers[0], numbers[1], numbers[4], "ok", sqrt(2), 255L);
        assert(strcmp(text, "125 ok 1.41 ff") == 0);
        assert(sum(3, 1, 2, 3, 4.5) == 10);
        struct pair p = twice((struct pair){21, "x"});
        assert(p.a == 42 && p.text[0] == 'x');
        int code = setjmp(back);
        if (code == 0) leave(5);
        assert(code == 7);
        unsigned long long big = 0xfedcba9876543210;
        assert(__builtin_bswap64(big) == 0x1032547698badcfe && __builtin_popcountll(big) == 32);
        assert(__builtin_clz(1) == 31 && __builtin_ctz(8) == 3 && (unsigned char)(big >> 60) == 15);
        return 0;
      }`);
    expect(report.findings).toEqual([]);
    expect(report.summary).toBe('the only path explored');
    expect(report.next).toMatch(/^no input is symbolic: `--sym-stdin/);
  });
});
