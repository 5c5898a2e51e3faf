/**
 * Loads whose content is known are not made (`repeated-loads.ts`, record 0287). Each case makes one
 * error between two loads of the same bytes, or by the second one.
 */
import { expect, test } from 'vitest';
import { checkC, expectClean, expectedPlaces, places } from './check-c.js';

const program = `
  #include <stdlib.h>
  #include <string.h>
  struct item { unsigned n, m; struct item *next; };
  static unsigned mixed;
  static int frees(struct item *p, int yes) {
    int n = p->n > 0;
    if (yes) free(p);
    return n + (p->n > 1);                 // => use-after-free
  }
  static int scope(int yes) {
    int outside = 3, *q = &outside, sum = *q;
    {
      int inside = 4;
      if (yes) q = &inside;
      sum += *q;
    }
    return sum + *q;                       // => use-after-scope
  }
  static void copies(struct item *to, const struct item *from) {
    to->n = from->n;
    mixed ^= to->n + from->n;
    to->m = to->n;
  }
  static int misaligned(char *bytes, int at) {
    unsigned value;
    memcpy(&value, bytes + at, 4);
    mixed += value;
    return *(int *)(bytes + at) == 7;      // => misaligned-access
  }
  struct vec { double x, y; int tag; };
  static double sum(struct vec v) { return v.x + v.y + v.tag; }
  static int passes(char *bytes, int at) {
    struct vec *vec = (struct vec *)(bytes + at);
    double all = sum(*vec);
    return all + vec->x > 0;                // => misaligned-access
  }
  static int partly(unsigned *whole, unsigned char *part, const unsigned char *from) {
    *whole = 5;
    mixed += *whole;
    part[1] = from[0];
    return *whole > 4;                     // => uninitialized-read
  }
  static unsigned aliases(unsigned *a, unsigned *b) {
    unsigned sum = *a;
    *b += 10;
    sum = sum * 100 + *a;
    ((unsigned char *)a)[0] = 1;
    sum = sum * 100 + *a;
    for (int i = 0; i < 3; i++) *b += *a;
    return sum * 100 + *a;
  }
  static unsigned reversed(unsigned *list, int n) {
    for (int i = 0, k = n - 1; i < k; i++, k--) list[i] ^= list[k], list[k] ^= list[i], list[i] ^= list[k];
    return list[0];
  }
  int main(int argc, char **argv) {
    int which = atoi(argv[1]);
    struct item *item = malloc(sizeof *item), *other = malloc(sizeof *other), made = {1, 2, item}, fresh;
    item->n = 2, item->m = 3, item->next = 0;
    if (frees(item, which == 1) != 2) abort();
    if (scope(which == 2) != 9) abort();
    fresh.m = 1;
    copies(other, which == 3 ? &fresh : &made);
    if (other->m > 5) abort();             // => uninitialized-read
    char *bytes = calloc(40, 1);
    if (misaligned(bytes, which == 4 ? 2 : 4)) abort();
    if (passes(bytes, which == 6 ? 4 : 8)) abort();
    unsigned char none[2], *from = none;
    if (which != 5) none[0] = 0;
    unsigned whole;
    if (!partly(&whole, (unsigned char *)&whole + (which == 5 ? 0 : 2), from)) abort();
    unsigned a = 3, b = 4;
    if (aliases(&a, &b) != 3030101 || aliases(&a, &a) != 1110108) abort();
    unsigned list[] = {1, 2, 3, 4, 5};
    if (reversed(list, 5) != 5 || list[4] != 1 || list[2] != 3) abort();
    free(item), free(other), free(bytes);
    return 0;
  }`;

test('correct programs have no findings', () => expectClean(program));

const [freed, scope, misaligned, passed, part, copied] = expectedPlaces(program);
test.each([
  [1, freed],
  [2, scope],
  [3, copied],
  [4, misaligned],
  [5, part],
  [6, passed],
])('case %i is found at its line', async (which, place) => {
  expect(places(await checkC(program, { arguments: [String(which)] }))).toEqual([place]);
});
