/**
 * Structures that recursive functions and functions with loops take by value are passed as their
 * members (record 0281). Each case makes one error in or around such a function. Its finding has
 * the message and the frames of the one that `--keep-going` reports first, for which structures are
 * passed in memory.
 */
import { expect, test } from 'vitest';
import { checkC, expectedPlaces, places } from './check-c.js';

const program = `
  #include <stdlib.h>
  #include <string.h>
  struct slice { const char *at, *end; };
  struct pair { int a, b; };
  struct padded { char c; int n; };
  struct outer { struct pair first, second; };
  static int depth(struct slice s, int level);
  static int group(struct slice s, int level) {
    s.at++;
    return depth(s, level + 1);
  }
  static int depth(struct slice s, int level) {
    while (s.at < s.end) {
      if (*s.at == '(') return group(s, level);            // => heap-buffer-overflow
      s.at++;
    }
    return level;
  }
  static int sum(struct pair p, int n) {
    int total = 0;
    for (int i = 0; i < n; i++) total += p.a;
    return total;                                          // => uninitialized-read
  }
  static int both(struct outer o, int n) {
    int total = 0;
    for (int i = 0; i < n; i++) total += sum(o.first, 1) - sum(o.second, 1);
    return total;
  }
  static int count(struct pair p, int n) {
    if (n == 0) return p.a;
    p.a += n;                                              // => signed-overflow
    return count(p, n - 1);
  }
  static int repeat(struct padded p, int n) {
    int total = 0;
    while (n-- > 0) total += p.n / p.c;                    // => division-by-zero
    return total;
  }
  static int plain(struct pair p, int n) {
    int total = 0;
    while (n-- > 0) total += p.a;
    return total;
  }
  static int (*chosen)(struct pair, int) = plain;
  static int ended(const struct pair *p) {
    const struct pair *q = p;
    { struct pair t = {5, 6}; if (p->a == 77) q = &t; if (sum(t, 1) != 5) abort(); }
    return sum(*q, 1);                                     // => use-after-scope
  }
  int main(int argc, char **argv) {
    int which = atoi(argv[1]);
    char *text = malloc(6);
    memcpy(text, "a((b(c", 6);
    struct slice s = {text, text + (which == 1 ? 7 : 6)};
    if (depth(s, 0) != 3 || s.at != text) abort();
    struct pair part, *heap = malloc(2 * sizeof *heap), whole = {1, 2};
    part.b = 1;
    if (which != 2) part.a = 3;
    heap[0] = part, heap[1] = whole;
    if (which != 2 && sum(part, 3) != 9) abort();
    struct pair copy = part;
    if (sum(copy, which == 2 ? 1 : 2) != 6) abort();
    struct outer o = {heap[0], heap[1]};
    if (both(o, 2) != 4) abort();
    if (which == 3) whole.a = 0x7ffffffe;
    if (count(whole, 3) != 7 || whole.a != 1) abort();
    struct padded p = {which == 4 ? 0 : 2, 8};
    if (repeat(p, 3) != 12) abort();
    if (chosen(whole, 2) != 2) abort();
    if (which == 5) whole.a = 77;
    if (ended(&whole) != 1) abort();
    if (which == 6) free(heap);
    if (sum(heap[1], 4) != 4) abort();                     // => use-after-free
    if (sum(heap[which == 7 ? 2 : 1], 4) != 4) abort();    // => heap-buffer-overflow
    free(text), free(heap);
    return 0;
  }`;

test.each(['quick', 'optimised'] as const)('a correct program has no findings, %s', async speed => {
  const report = await checkC(program, { arguments: ['0'], speed });
  expect(report).toMatchObject({ verdict: 'clean', program: { exit: 0 } });
});

const expected = expectedPlaces(program);
test.each([
  [1, 'depth'],
  [2, 'sum'],
  [3, 'count'],
  [4, 'repeat'],
  [5, 'ended'],
  [6, 'main'],
  [7, 'main'],
])('case %i is found in %s, as with structures in memory', async (which, name) => {
  const options = { arguments: [String(which)] };
  const report = await checkC(program, options);
  expect(places(report)).toEqual([expected[which - 1]]);
  const { findings } = await checkC(program, { ...options, keepGoing: true });
  const [found, first] = [report.findings[0]!, findings[0]!];
  expect(found.location.function).toBe(name);
  expect(found.stack.map(frame => frame.function)).toEqual(first.stack.map(frame => frame.function));
  expect(first.location.line).toBe(found.location.line);
  // Where whole words of the structure are copied, they are reported.
  if (which === 2) expect(found.message).toContain('4 bytes at offset 0 of `part` of 8 bytes');
  else expect(found.message).toBe(first.message);
});

test('members that are never used may be undefined', async () => {
  const text = `
    struct pair { int a, b; };
    static int walk(struct pair p, int n) { return n == 0 ? p.a : walk(p, n - 1); }
    static int either(struct pair p, int n) { while (n > 1) n /= 2; return n == 1 ? p.a : walk(p, n) + p.b; }
    int main(int argc, char **argv) {
      struct pair p;
      p.a = argc;
      struct pair q = p;
      return walk(q, 3) + either(p, 8) - 2 * argc;
    }`;
  for (const speed of ['quick', 'optimised'] as const)
    expect(await checkC(text, { speed })).toMatchObject({ verdict: 'clean', program: { exit: 0 } });
});
