/**
 * Loops that access one address again and again, such as a cursor through a pointer: the fast copy
 * checks its tag word before the loop instead of asking for a window (record 0289). Each case makes
 * that address, or one that it leads to, invalid after many valid loops.
 */
import { expect, test } from 'vitest';
import { checkC, expectClean, expectedPlaces, places } from './check-c.js';

const program = `
  #include <stdlib.h>
  #include <string.h>
  struct cursor { const char *at; int count; int *total; };
  __attribute__((noinline)) static void skip(const char **at) {
    while (**at == ' ')                   // => heap-buffer-overflow
      ++*at;
  }
  __attribute__((noinline)) static void digits(struct cursor *c) {
    for (; *c->at >= '0'; c->at++)        // => use-after-free
      c->count++;
  }
  __attribute__((noinline)) static void add(const int *values, int n, int *into) {
    for (int i = 0; i < n; i++) *into += values[i]; // => write-to-constant
  }
  __attribute__((noinline)) static int many(const int *values, int n, const int *bound) {
    int count = 0;
    for (int i = 0; i < n; i++)
      if (values[i] < *bound) count++;    // => uninitialized-read
    return count;
  }
  __attribute__((noinline)) static void sum(struct cursor *c, int n) {
    for (int i = 0; i < n; i++) *c->total += i; // => null-dereference
  }
  __attribute__((noinline)) static void step(long *places, int n, char *misplaced) {
    for (int i = 0; i < n; i++) *(long *)misplaced += places[i]; // => misaligned-access
  }
  int main(int argc, char **argv) {
    static const int constant = 1;
    int which = atoi(argv[1]), values[30], total = 0, *bound = malloc(8);
    long longs[30] = {0}, *place = calloc(2, 8);
    char *text = malloc(64);
    for (int i = 0; i < 30; i++) values[i] = i;
    bound[0] = 20, bound[1] = 10;
    memset(text, ' ', 64);
    text[40] = '7', text[41] = '8', text[42] = 0;
    struct cursor *c = malloc(sizeof *c);
    *c = (struct cursor){text, 0, &total};
    for (int round = 0; round < 50; round++) {
      int isLast = round == 49;
      const char *at = text + 30;
      if (isLast && which == 1) memset(text, ' ', 64);
      skip(&at);
      c->at = at;
      if (isLast && which == 2) free(c);
      digits(c);
      add(values, 30, isLast && which == 3 ? (int *)&constant : &total);
      int *fresh = malloc(4);
      if (!isLast || which != 4) *fresh = 4;
      if (many(values, 30, fresh) != 4 || many(values, 30, bound + 1) != 10) abort();
      free(fresh);
      if (isLast && which == 5) c->total = NULL;
      sum(c, 12);
      step(longs, 30, (char *)place + (isLast && which == 6 ? 4 : 0));
    }
    free(c), free(text), free(bound), free(place);
    return total != 50 * (435 + 66);
  }`;

test('the correct loops have no findings', () => expectClean(program));

test.each(expectedPlaces(program).map((place, i) => [i + 1, place] as const))(
  'case %i is found at its line',
  async (which, place) => {
    expect(places(await checkC(program, { arguments: [String(which)] }))).toEqual([place]);
  },
);
