/**
 * Small functions that take or return structures are inlined, and their structures are divided
 * into members (record 0251). Each case makes one error in or around such a function. Its finding
 * has the message and the frames of the one that `--keep-going` reports first, for which nothing
 * is inlined.
 */
import { expect, test } from 'vitest';
import { checkC, expectAsNotInlined, expectClean, expectedPlaces, places } from './check-c.js';

const program = `
  #include <stdlib.h>
  #include <string.h>
  struct vec { double x, y, z; };
  struct pair { int a, b; };
  struct text { char *bytes; size_t size; };
  static struct vec add(struct vec a, struct vec b) { return (struct vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
  static double dot(struct vec a, struct vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;              // => uninitialized-read
  }
  static struct vec scale(struct vec a, double by) { return (struct vec){a.x * by, a.y * by, a.z * by}; }
  static struct vec twice(struct vec a) { return scale(a, dot(a, a)); }
  static struct pair sum(struct pair a, struct pair b) {
    struct pair r;
    r.a = a.a + b.a;                                       // => signed-overflow
    r.b = a.b + b.b;
    return r;
  }
  static struct pair quotient(struct pair a) {
    return (struct pair){a.a / a.b, a.a % 7};              // => division-by-zero
  }
  static int element(struct pair at, const int *all) {
    return all[at.a];                                      // => heap-buffer-overflow
  }
  static struct vec third(struct vec v, const struct vec *more) {
    v = more[3];                                           // => heap-buffer-overflow
    return v;
  }
  static struct text made(struct pair p) {
    struct text text = {malloc(p.a), p.a};
    return text;
  }
  static struct vec maybe(struct pair p) {
    struct vec v;
    v.x = p.a, v.y = 1;
    if (p.b != 3) v.z = 2;
    return v;
  }
  static int sign(struct vec v) {
    if (v.z < 0) return -1;                                // => uninitialized-read
    return v.z > 0;
  }
  static struct pair swapped(struct pair p) { struct pair q = {p.b, p.a}; return q; }
  static int spread(struct pair p) {
    struct pair q = swapped(swapped(p));
    if (q.b < q.a) return q.a - q.b;                       // => uninitialized-read
    return q.b - q.a;
  }
  static int rounds(struct pair unread, int n) {
    int count = 0;
    while (n-- > 0) count++;
    return count;
  }
  static long total(const struct pair *all, int n) {
    struct pair t = {0};
    for (int i = 0; i < n; i++) t = sum(t, all[i]);        // => heap-buffer-overflow
    return t.a + t.b;
  }
  int main(int argc, char **argv) {
    int which = atoi(argv[1]), unset;
    struct vec *heap = malloc(3 * sizeof *heap), v = {1, 2, 3}, part, near[2] = {{1, 1, 1}, {2, 2, 2}};
    struct pair p = {which == 1 ? 0x7fffffff : 4, 5}, half, *all = malloc(9 * sizeof *all);
    int *numbers = calloc(4, sizeof *numbers);
    for (int i = 0; i < 3; i++) heap[i] = (struct vec){i, i + 1, i + 2};
    for (int i = 0; i < 9; i++) all[i] = sum(p, (struct pair){i, -i});
    part.x = 1, part.y = 2, half.b = 1;
    if (which == 12) memcpy(&half.b, &part.z, 4);
    half.a = 1;
    if (which == 2) p.b = 0;
    if (quotient(p).b != 4) abort();
    p.b = 5;
    v = add(twice(v), heap[0]);
    if (which == 3) free(heap);
    v = add(v, heap[1]);                                   // => use-after-free
    if (which == 4) v = add(heap[3], v);                   // => heap-buffer-overflow
    if (which == 5) v.x = dot(part, v);
    if (element(p, which == 6 ? numbers : numbers - 1) != 0) abort();
    if (which == 7) v = third(v, heap);
    struct text text = made(p);
    if (which == 8) free(text.bytes);
    memset(text.bytes, 0, text.size);                      // => use-after-free
    if (which != 8) free(text.bytes);
    p.b = which == 9 ? 3 : 4;
    if (sign(maybe(p)) != 1) abort();
    if (which != 10) unset = 2;
    v = scale(v, unset);                                   // => uninitialized-read
    if (which == 11) v = add(near[argc], near[argc + 1]);  // => stack-buffer-overflow
    if (spread(half) > 9 || rounds((struct pair){1, 2}, 3) != 3) abort();
    if (total(all, which == 13 ? 10 : 9) != 81 + 0) abort();
    free(all), free(numbers), free(heap);
    return v.x < 0;
  }`;

test('correct programs have no findings', () => expectClean(program));

const [product, overflow, divided, element, third, branch, inner, behind, stale, after, text, unset, near] =
  expectedPlaces(program);
test.each([
  [1, overflow],
  [2, divided],
  [3, stale],
  [4, after],
  [5, product],
  [6, element],
  [7, third],
  [8, text],
  [9, branch],
  [10, unset],
  [11, near],
  [12, inner],
  [13, behind],
])('case %i is found at its line, as without inlining', (which, place) => {
  // In these two, `--keep-going` reads a copy of the structure, which has another name.
  const readsCopy = which === 9 || which === 12;
  return expectAsNotInlined(program, which, place, !readsCopy);
});

test('a structure that is passed from a misaligned address is copied, not accessed', async () => {
  const text = `
    #include <stdlib.h>
    struct pair { long a, b; };
    static long sum(struct pair p) { return p.a + p.b; }
    __attribute__((noinline)) static long difference(struct pair p) { return p.a - p.b; }
    int main(int argc, char **argv) {
      char *raw = calloc(64, 1);
      const struct pair *p = (void *)(raw + argc);
      if (sum(*p) + difference(*p) != 0) abort();
      if (argc > 1) abort();
      long first = argv[1] == NULL ? p->a : 0;               // => misaligned-access
      free(raw);
      return first;
    }`;
  for (const keepGoing of [false, true])
    expect(places(await checkC(text, { keepGoing })), `${keepGoing}`).toEqual(expectedPlaces(text));
});
