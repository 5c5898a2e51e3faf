/**
 * Checks that are left out or joined: members of structures passed by value are read at the entry
 * (record 0266), a store after a read asks only for the number (0267), and windows reach into the
 * last granule of a block (0265). Each case makes one invalid access beside many valid ones. A run
 * stops at the first finding, because with `--keep-going` all checks are made.
 */
import { expect, test } from 'vitest';
import { checkC, expectClean, expectedPlaces, places } from './check-c.js';

const program = `
  #include <stdlib.h>
  #include <string.h>
  struct vec { double x, y; int tag; };
  struct pair { int a; unsigned b; struct vec v; };
  static struct vec shared;
  static double sum(struct vec v) { return v.x + v.y; }
  static int isLeft(struct vec v, int asks) {
    if (asks && v.y < 0) return 1;         // => uninitialized-read
    return v.x < 0;
  }
  static double keeps(struct vec v, struct vec *other) {
    double before = v.x;
    other->x = 100, shared.x = 100;
    return before + v.x;
  }
  static double inner(struct pair p) { return p.v.x + p.a + (p.v.tag == 3); }
  static double changes(struct vec v) { v.x++; return v.x; }
  static double reaches(struct vec v) { double *x = &v.x; return x[1]; }
  static void count(int *at) { ++*at; }                       // => write-to-constant
  static void mask(unsigned *at, unsigned bits) { *at |= bits; *at ^= 1; }
  static void both(struct pair *p) { p->b++; p->a++; p->b += p->a; }
  static unsigned copies(struct pair *to, const struct pair *from) {
    unsigned kept = to->b;
    to->b = from->b;
    if (to->b > 7) kept++;                 // => uninitialized-read
    return kept;
  }
  static void again(int *p, int frees) {
    int was = *p;
    if (frees) free(p);
    *p = was + 1;                          // => use-after-free
  }
  static long total(const int *all, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) sum += all[i];                // => heap-buffer-overflow
    return sum;
  }
  static int filled(int *all, int n, int from) {
    int most = 0;
    for (int i = from; i < n; i++) all[i] = i;
    for (int i = 0; i < n; i++)
      if (all[i] > most) most = all[i];    // => uninitialized-read
    return most;
  }
  static void end(char *text, int n) {
    for (int i = 0; i < n; i++) text[i] = 'a';                // => heap-buffer-overflow
  }
  int main(int argc, char **argv) {
    int which = atoi(argv[1]);
    struct vec v = {1, 2, 3}, part, *heap = malloc(sizeof *heap);
    struct pair p = {4, 5, {6, 7, 3}}, none;
    part.x = 1;
    *heap = v, shared = v;
    if (isLeft(part, which == 1)) abort();
    if (keeps(shared, &shared) != 2 || keeps(v, &v) != 2 || v.x != 100) abort();
    if (inner(p) != 11 || changes(v) != 101 || v.x != 100 || reaches(v) != 2) abort();
    if (which == 2) free(heap);
    double all = sum(*heap);               // => use-after-free
    if (which == 3) all += sum(heap[1]);   // => heap-buffer-overflow
    static const int constant = 5;
    int number = 5;
    count(which == 4 ? (int *)&constant : &number);
    unsigned bits;
    none.b = 1;
    memcpy(&bits, argc > 5 ? &none.a : (int *)&none.b, 4);
    for (int i = 0; i < 40; i++) mask(&bits, 1u << i % 32), both(&p);
    if (bits != ~0u || p.a != 44) abort();
    struct pair fresh, *target = malloc(sizeof *target);
    fresh.b = 3, target->b = 9;
    if (which == 5) memcpy(&fresh.b, &part.tag, 4);
    if (copies(target, &fresh) != 9) abort();
    int *one = malloc(4);
    *one = 6;
    again(one, which == 6);
    if (*one != 7) abort();
    for (int n = 1; n < 40; n++) {
      int *few = malloc(n * sizeof *few);
      char *text = malloc(n);
      if (filled(few, n, which == 7 && n == 33) != n - 1) abort();
      if (total(few, n + (which == 8 && n == 35)) != n * (n - 1) / 2) abort();
      end(text, n + (which == 9 && n == 37));
      free(few), free(text);
    }
    free(target), free(heap), free(one);
    return all < 0;
  }`;

test('correct programs have no findings', () => expectClean(program));

const [member, constant, copied, freed, total, unwritten, end, argument, behind] = expectedPlaces(program);
test.each([
  [1, member],
  [2, argument],
  [3, behind],
  [4, constant],
  [5, copied],
  [6, freed],
  [7, unwritten],
  [8, total],
  [9, end],
])('case %i is found at its line', async (which, place) => {
  expect(places(await checkC(program, { arguments: [String(which)] }))).toEqual([place]);
});
