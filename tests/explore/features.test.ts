/**
 * Parts of C that are hard for symbolic execution, one program each: what is explored, and the
 * notes about the rest.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ExploreOptions, type ExploreReport, explore } from '../../src/index.js';

const source = (text: string, options: Partial<ExploreOptions> = {}): Promise<ExploreReport> =>
  explore({
    inputs: [{ name: 'test.c', text: `#include <klee/klee.h>\n#include <stdlib.h>\n${text}` }],
    ...options,
  });

const places = ({ findings }: ExploreReport): string[] =>
  findings.map(({ code, location }) => `${code}:${location.line}`).sort();

test('a hash of one byte does not make queries about another one hard', async () => {
  const report = await source(
    `int main(void) {
      unsigned char a = klee_range(0, 20, "a"), b = klee_range(0, 20, "b");
      unsigned hash = a;
      for (int i = 0; i < 32; i++) hash = (hash * 21 + 22) ^ (hash >> 1);
      if (hash % 256 < 21) return 1;
      if (hash % 3 == 1) return 2;
      if (a + b == 7) return 3;
      return 4;
    }`,
    { maxTimeMs: 240_000 },
  );
  expect(report.summary).toBe('all 4 paths explored');
});

test('abs is computed, whose result clang marks like its check', async () => {
  const report = await source(
    `int main(void) {
      int x = klee_range(-5, 6, "x");
      long y = x;
      if (abs(x) + 3 > 8 || labs(y) * 2 > 10 || 60 / (abs(x) + 1) < 10) abort();
      if (60 % (abs(x) - 5) == 59) abort();
      return abs(x) - 1 == 4;
    }`,
  );
  expect(places(report)).toEqual(['division-by-zero:7']);
});

test('missing functions and inline assembly end the paths that reach them, and are named', async () => {
  const report = await source(`int frobnicate(int);
    int main(void) {
      int n = klee_int("n");
      if (n == 5) return frobnicate(n);
      if (n == 6) __asm__ volatile("cpuid");
      __asm__ volatile("" ::: "memory");
      if (n == 7) return 1;
      return 0;
    }`);
  expect(places(report)).toEqual(['unsupported:6', 'unsupported:7']);
  expect(report.findings[0]).toMatchObject({
    message: 'the function `frobnicate` is not available',
    help: expect.stringContaining('`--external`'),
  });
  expect(report.stats.paths).toEqual({ completed: 2, error: 0, partial: 2 });
  expect(report.summary).toMatch(/^2 paths explored; 2 left; .*frobnicate/);
});

test('all of a few values that become a float, or are printed into memory, are explored', async () => {
  const report = await source(`
    #include <stdio.h>
    static char large[10000];
    int main(void) {
      int n = klee_range(0, 5, "n");
      double d = n / 2.0;
      char t[9];
      sprintf(t, "%d.%d", n, d > 1);
      large[t[0] * 100] = 1;
      klee_assert(t[2] == '1' ? n > 2 : large['2' * 100] == (n == 2));
      return d + t[0];
    }`);
  expect(report.verdict).toBe('clean');
  expect(report.summary).toBe('all 5 paths explored');
});

test('half floats, and rounding instructions on long double', async () => {
  const report = await source(`
    #include <assert.h>
    int main(void) {
      __fp16 a = 1.5f, b = 0.1f, c = a * b + 2, sum = 0;
      for (int i = 1; i < 4; i++) sum += (__fp16)i / 3;
      unsigned short bits[2];
      __builtin_memcpy(bits, &c, 2);
      a = 70000.0f;
      __builtin_memcpy(bits + 1, &a, 2);
      assert(bits[0] == 0x404d && bits[1] == 0x7c00 && sum == 2 && b < c);
      volatile long double x = -2.5L;
      assert(__builtin_floorl(x) == -3 && __builtin_ceill(x) == -2 && __builtin_truncl(x) == -2);
      assert(__builtin_roundl(x) == -3 && __builtin_rintl(x) == -2 && __builtin_sqrtl(x * x) == 2.5L);
      assert(__builtin_fminl(x, 1) == x && __builtin_isinf(x / 0) && !__builtin_isnan(x));
      return 0;
    }`);
  expect(report.summary).toBe('the only path explored');
  expect(report.verdict).toBe('clean');
});

test('long double', async () => {
  const report = await source(`
    #include <assert.h>
    #include <math.h>
    #include <stdio.h>
    #include <string.h>
    int main(void) {
      long double x = 1;
      for (int i = 1; i < 20; i++) x *= i;
      long double y = x / 3 + 0.25L;
      char text[40];
      sprintf(text, "%.3Lf", y);
      assert(strcmp(text, "40548366802944000.250") == 0);
      assert((long)y == 40548366802944000 && (double)-y < 0 && fabsl(-y) == y && (float)(1 / 3.0L) == 1 / 3.0f);
      assert(!(y < x - x) && 0.0L / (x - x) != 0 && y > (unsigned)7 && sqrtl(y * y) == y);
      return 0;
    }`);
  expect(report.findings).toEqual([]);
  expect(report.summary).toBe('the only path explored');
});

test('symbolic sizes of allocations', async () => {
  const report = await source(`
    int main(void) {
      unsigned char n = klee_int("n");
      char *p = malloc(n);
      p[0] = 1;
      for (int i = 1; i < n && i < 3; i++) p[i] = p[i - 1];
      int *q = calloc(n, sizeof *q);
      if (q[n - 1] != 0) return 99;
      if (n == 77) q[n] = 1;
      if (n == 50 && p[40] == 3) return 98;
      free(p), free(q);
      return 0;
    }`);
  expect(places(report)).toEqual([
    'heap-buffer-overflow:11',
    'heap-buffer-overflow:7',
    'uninitialized-read:12',
  ]);
  const unwritten = report.findings.find(({ code }) => code === 'uninitialized-read');
  expect(unwritten?.message).toContain('offset 40 of a block of 50 bytes');
  expect(report.summary).toMatch(/^all \d+ paths explored$/);
});

test('an allocation that fails says why in errno', async () => {
  const report = await source(
    `#include <errno.h>
    int main(void) {
      size_t size;
      klee_make_symbolic(&size, sizeof size, "size");
      char *kept = malloc(8);
      klee_assume(kept != NULL && errno == 0);
      if (calloc((size_t)-1, 2) != NULL || errno != ENOMEM) abort();
      errno = 0;
      if (size % 2 && (aligned_alloc(24, 48) != NULL || errno != EINVAL)) abort();
      for (int i = 0; i < 100; i++) {
        errno = 0;
        if (malloc((size_t)1 << (45 + i % 5)) != NULL || errno != ENOMEM) abort();
      }
      errno = 0;
      if (size != 0 && realloc(kept, size) == NULL && errno != ENOMEM) abort();
      return 0;
    }`,
    { checks: ['spatial'] },
  );
  expect(report.findings).toEqual([]);
  expect(report.stats.paths).toMatchObject({ error: 0 });
  expect(report.stats.paths?.completed).toBeGreaterThan(2);
});

test('an input of a mebibyte, read at known places, at symbolic ones, and copied', async () => {
  const report = await source(`
    #include <string.h>
    static unsigned char a[1 << 20], b[1 << 20];
    int main(void) {
      klee_make_symbolic(a, sizeof a, "a");
      unsigned i;
      klee_make_symbolic(&i, sizeof i, "i");
      klee_assume(i < sizeof a - 1);
      memcpy(b + 1, a, sizeof a - 1);
      b[70000] = 3;
      klee_assert(a[1000] == b[1001]);
      if (b[i + 1] != 7) return 0;
      klee_assert(i != 69999);
      klee_assert(a[i] == 7);
      return 1;
    }`);
  expect(places(report)).toEqual([]);
  expect(report.summary).toBe('all 2 paths explored');
});

test('free of a symbolic pointer', async () => {
  const report = await source(`
    int main(void) {
      char *p[3] = {malloc(1), malloc(2), NULL};
      int which = klee_range(0, 3, "which");
      free(p[which]);
      free(p[0]);
      if (which != 1) free(p[1]);
      return 0;
    }`);
  expect(places(report)).toEqual(['double-free:8']);
  expect(report.summary).toBe('all 3 paths explored');
});

test('a symbolic length of memcpy that exceeds an object', async () => {
  const report = await source(`
    #include <string.h>
    struct message { unsigned short length; char data[30]; };
    int main(void) {
      struct message m;
      char out[64];
      klee_make_symbolic(&m, sizeof m, "m");
      memcpy(out, m.data, m.length);
      return m.length > 0 && out[0] == 'x';
    }`);
  expect(places(report)).toEqual(['stack-buffer-overflow:10']);
  expect(report.summary).toMatch(/^all \d+ paths explored$/);
});

describe('lengths of many values are all explored at once', () => {
  /** The copy or fill of n bytes, and the same byte by byte without a branch. */
  test.each([
    ['memset(a + 3, c, n)', 'i - 3 < n ? c : old[i]'],
    ['memcpy(a + 2, b + 1, n)', 'i - 2 < n ? b[i - 1] : old[i]'],
    ['memmove(a + 5, a + 1, n)', 'i - 5 < n ? old[i - 4] : old[i]'],
    ['memmove(a + 1, a + 4, n)', 'i - 1 < n ? old[i + 3] : old[i]'],
  ])('%s', async (call, expected) => {
    const [, condition, chosen, otherwise] = /^(.*) \? (.*) : (.*)$/.exec(expected)!;
    const report = await source(`
      #include <string.h>
      int main(void) {
        unsigned char n, c, a[40], b[40], old[44], wrong = 0;
        klee_make_symbolic(&n, 1, "n");
        klee_make_symbolic(&c, 1, "c");
        klee_assume(n <= 32);
        for (unsigned i = 0; i < 40; i++) a[i] = old[i] = 7 * i, b[i] = 100 + i;
        for (unsigned i = 40; i < 44; i++) old[i] = 0;
        ${call};
        for (unsigned i = 4; i < 36; i++) {
          unsigned char mask = -(unsigned char)(${condition});
          wrong |= a[i] ^ ((${chosen} & mask) | (${otherwise} & ~mask));
        }
        klee_assert(!wrong);
        return a[4] == a[9];
      }`);
    expect(places(report)).toEqual([]);
    expect(report.summary).toMatch(/^all \d paths explored$/);
  });

  test.each([
    ['memset(a + s, c, n)', 'i - s < n ? c : old[i]'],
    ['memcpy(a + 2, b + s, n)', 'i - 2 < n ? b[(i - 2 + s) % 40] : old[i]'],
    ['memmove(a + s, a + 20 - s, n)', 'i - s < n ? old[(i + 20 - 2 * s) % 40] : old[i]'],
  ])('and so are start offsets: %s', async (call, expected) => {
    const [, condition, chosen, otherwise] = /^(.*) \? (.*) : (.*)$/.exec(expected)!;
    const report = await source(`
      #include <string.h>
      int main(void) {
        unsigned char n, c, s, a[40], b[40], old[40], wrong = 0;
        klee_make_symbolic(&n, 1, "n");
        klee_make_symbolic(&c, 1, "c");
        klee_make_symbolic(&s, 1, "s");
        klee_assume(n > 0 & n <= 20 & s < 20);
        for (unsigned i = 0; i < 40; i++) a[i] = old[i] = 7 * i, b[i] = 100 + i;
        ${call};
        for (unsigned i = 0; i < 40; i += 13) {
          unsigned char mask = -(unsigned char)(${condition});
          wrong |= a[i] ^ ((${chosen} & mask) | (${otherwise} & ~mask));
        }
        klee_assert(!wrong);
        return a[4] == a[9];
      }`);
    expect(places(report)).toEqual([]);
    expect(report.summary).toBe('the only path explored');
  });

  test('a start and a length that together exceed the object, or overlap', async () => {
    const report = await source(`
      #include <string.h>
      int main(void) {
        unsigned char n, s, a[40] = {0};
        klee_make_symbolic(&n, 1, "n");
        klee_make_symbolic(&s, 1, "s");
        klee_assume(n < 21 & s < 21);
        memset(a + s, 1, n + 1);
        memcpy(a + s, a + 20, n);
        memcpy(a + 2 * s, a, n / 21);
        return 0;
      }`);
    expect(places(report)).toEqual(['overlapping-copy:11', 'stack-buffer-overflow:10']);
    expect(report.summary).toMatch(/^all \d+ paths explored$/);
  });

  test('bytes after the length are unchanged', async () => {
    const report = await source(`
      #include <string.h>
      int main(void) {
        unsigned char n, k, a[40], b[64] = {0};
        klee_make_symbolic(&n, 1, "n");
        klee_make_symbolic(&k, 1, "k");
        klee_assume(n > 0 & n <= 64);
        memset(a, 1, n);
        klee_assume(k < 40);
        if (k < n && a[k] != 1) return 3;
        if (k == n && a[k] == 1) return 4;
        memcpy(b, b + 20, n & 31);
        return 0;
      }`);
    expect(places(report)).toEqual([
      'overlapping-copy:14',
      'stack-buffer-overflow:10',
      'uninitialized-read:13',
    ]);
    expect(report.summary).toMatch(/^all \d+ paths explored$/);
  });
});

test('setjmp, atomics, vectors, wide integers and bit-fields', async () => {
  const report = await source(`
    #include <setjmp.h>
    #include <stdatomic.h>
    static jmp_buf back;
    static int down(int n) { if (n == 0) longjmp(back, 7); return down(n - 1) + 1; }
    typedef int v4 __attribute__((vector_size(16)));
    int main(void) {
      int n = klee_range(0, 4, "n");
      volatile int turns = 0;
      int code = setjmp(back);
      turns++;
      if (code == 0) return down(n);
      klee_assert(code == 7 && turns == 2);
      atomic_int a = 1;
      atomic_fetch_add(&a, n);
      int expected = 3;
      if (atomic_compare_exchange_strong(&a, &expected, 9)) klee_assert(n == 2 && a == 9);
      v4 x = {1, 2, 3, n}, y = x * x + 1;
      klee_assert(y[3] == n * n + 1 && y[2] == 10);
      unsigned __int128 product = (unsigned __int128)(n + 1ul) << 100;
      klee_assert((unsigned)(product >> 100) == n + 1u);
      struct { unsigned low : 3; int middle : 5; unsigned high : 24; } s = {n, -n, 5};
      klee_assert(s.low == (unsigned)n && s.middle == -n && s.high == 5);
      return 0;
    }`);
  expect(report.findings).toEqual([]);
  expect(report.summary).toBe('all 4 paths explored');
});

test('printing loses no path', async () => {
  const report = await source(`
    #include <stdio.h>
    int main(void) {
      int n = klee_int("n");
      printf("%d %x\\n", n, n);
      fprintf(stderr, "%c", n);
      if (n > 100) return 1;
      if (n == 7) return 2;
      return 0;
    }`);
  expect(report.summary).toBe('all 3 paths explored');
});

test('into memory, printing concretizes a value, which is reported', async () => {
  const report = await source(`
    #include <stdio.h>
    int main(void) { char text[20]; return sprintf(text, "%d", klee_int("n")); }`);
  expect(report.summary).toBe('1 path explored; a printed number was concretized');
  expect(report.verdict).toBe('inconclusive');
});

test('the other functions of <klee/klee.h>', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'redzone-klee-'));
  const report = await source(
    `
    #include <time.h>
    int main(void) {
      unsigned char c, text[30];
      int n, value;
      klee_make_symbolic(&c, 1, "c");
      klee_make_symbolic(&n, sizeof n, "n");
      klee_prefer_cex(&c, c >= 'm' & c <= 'p');
      klee_prefer_cex(&c, c < 'a');
      klee_prefer_cex(&n, n > 1000 & n < 1003);
      klee_assert(klee_is_symbolic(c) && !klee_is_symbolic(3));
      value = klee_get_value_i32(n);
      klee_assert(!klee_is_symbolic(value));
      if (n == 1) klee_silent_exit(7);
      if (n == 2) klee_report_error("rules.txt", 77, "a rule is broken", "rule");
      if (n == 3) { if (klee_choose(3) == 2) return 32; return 31; }
      if (n == 4) return getenv("HOME") == NULL && time(NULL) == time(NULL) ? 40 : 41;
      if (c == 'x') return 50;
      return klee_get_obj_size(text);
    }`,
    { folder, tests: 'all' },
  );
  expect(report.findings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'assertion-failure: rules.txt:77: a rule is broken',
  ]);
  const tests = readdirSync(folder)
    .filter(file => /^\d+\.json$/.test(file))
    .map(file => JSON.parse(readFileSync(join(folder, file), 'utf8')));
  rmSync(folder, { recursive: true });
  // No test of the silent end.
  expect(tests.map(({ end }) => end.status).sort()).toEqual([30, 31, 32, 40, 50, undefined]);
  for (const { end, inputs } of tests) {
    const [c, n] = inputs;
    // If not all preferences can hold, the first one is met, unless it contradicts the path.
    if (end.status === 50) expect(c.text).toBe('x');
    else expect('mnop').toContain(c.text);
    if (end.status === 30) expect([1001, 1002]).toContain(n.signed);
  }
});

test('an unconstrained pointer is resolved to a bounded number of objects', async () => {
  const report = await source(`
    int main(void) {
      for (int i = 0; i < 300; i++) *(char *)malloc(4) = 1;
      char *q;
      klee_make_symbolic(&q, sizeof q, "q");
      return *q;
    }`);
  expect(report.summary).toBe('256 paths explored; 1 left; a pointer may point to too many objects');
  const wild = report.findings.find(({ code }) => code === 'wild-pointer')!;
  const [, address] = / at 0x([0-9a-f]+),/.exec(wild.message)!;
  expect(wild.notes!.at(-1)!.message).toBe(
    `happens when \`q\` = ${BigInt.asIntN(64, BigInt(`0x${address}`))}`,
  );
});

test('a string that an input selects is printed on a path for each choice', async () => {
  const report = await source(`
    #include <stdio.h>
    int main(void) {
      int n = klee_int("n");
      printf("%s ", n > 3 ? "many" : n < 0 ? "none" : "few");
      return n;
    }`);
  expect(report.summary).toBe('all 3 paths explored');
});

test('uninitialized values may be computed with, and are reported where they are used', async () => {
  const report = await source(`
    static int kept;
    int main(void) {
      int a, b, n = klee_int("n"), *p = &a;
      if (n > 5) *p = n;
      kept = a + 1 - b * 3;
      int sum = a + 2;
      if (sum > 3) return 1;
      return 0;
    }`);
  expect(places(report)).toEqual(['signed-overflow:8', 'signed-overflow:9', 'uninitialized-read:10']);
});

test('an element that was never written is an error on the inputs that choose it, and on no other', async () => {
  const report = await source(`
    #include <math.h>
    int main(void) {
      int a[4], i = klee_range(0, 4, "i");
      double d;
      klee_make_symbolic(&d, sizeof d, "d");
      a[0] = a[2] = 1;
      if (a[i] != 1) return 3;
      if (isnan(d)) return 1;
      return 2;
    }`);
  expect(report.stats.paths).toEqual({ completed: 2, error: 1, partial: 0 });
  expect(report.findings).toMatchObject([{ code: 'uninitialized-read' }]);
  expect(report.findings[0]!.notes!.at(-1)!.message).toMatch(/`i` = [13]\b/);
  expect(report.summary).toBe('all 3 paths explored');
});

test('a pointer that an input selects is followed to every target', async () => {
  const report = await source(`
    #include <string.h>
    struct entry { char key[4]; struct entry *next; };
    static struct entry *table[4];
    static unsigned hash(const char *s) { unsigned x = 5381; while (*s) x = x * 33 + (unsigned char)*s++; return x % 4; }
    int main(void) {
      char key[2] = {klee_int("k"), 0};
      static struct entry a = {"a"}, b = {"b"};
      table[hash("a")] = &a, table[hash("b")] = &b;
      struct entry *fresh = malloc(sizeof *fresh);
      strcpy(fresh->key, key);
      fresh->next = table[hash(key)];
      table[hash(key)] = fresh;
      for (struct entry *e = fresh->next; e; e = e->next) if (strcmp(e->key, key) == 0) return 1;
      return 0;
    }`);
  expect(report.findings).toEqual([]);
  expect(report.summary).toMatch(/^all \d+ paths explored$/);
});

test('a harness for one function creates structures and pointers as arguments', async () => {
  const report = await explore({ inputs: [join(import.meta.dirname, '../../examples/function-harness.c')] });
  expect(places(report)).toEqual(['division-by-zero:10']);
  expect(report.summary).toBe('all 13 paths explored');
});

test('a fuzz target gets symbolic bytes without options', async () => {
  const report = await source(`
    int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
      if (size > 3 && data[0] == 'F' && data[1] == 'U' && data[2] == 'Z' && data[3] == 'Z') abort();
      return 0;
    }`);
  expect(places(report)).toEqual(['abort:5']);
  expect(report.summary).toBe('all 5 paths explored');
});
