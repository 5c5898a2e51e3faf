/**
 * Copies of small structures are compared with their tag words inline (record 0297). Each case
 * makes one error in a copy after valid ones, with the message that `--keep-going` reports first,
 * for which nothing is tested inline.
 */
import { test } from 'vitest';
import { expectAsNotInlined, expectClean, expectedPlaces } from './check-c.js';

const program = `
  #include <stdlib.h>
  struct pair { double x; int a, b; };
  struct four { long a, b, c, d; };
  static const struct pair constant = {1, 2, 3};
  static void copy(struct pair *to, const struct pair *from) {
    *to = *from;                           // => use-after-free
  }
  static void put(struct four *to, const struct four *from) {
    *to = *from;                           // => heap-buffer-overflow
  }
  static void shift(struct four *to, const struct four *from) {
    *to = *from;                           // => overlapping-copy
  }
  static void over(struct pair *to, const struct pair *from) {
    *to = *from;                           // => write-to-constant
  }
  int main(int argc, char **argv) {
    int which = atoi(argv[1]), sum = 0;
    struct pair *pairs = malloc(8 * sizeof *pairs), *other = malloc(sizeof *other), unset;
    struct four *fours = malloc(4 * sizeof *fours), four = {1, 2, 3, 4};
    pairs[0] = constant, *other = constant;
    for (int i = 1; i < 8; i++) copy(pairs + i, pairs + i - 1);
    copy(pairs, pairs);
    if (which == 1) free(other);
    copy(pairs, other);
    for (int i = 0; i < (which == 2 ? 5 : 4); i++) put(fours + i, &four);
    for (int i = 1; i < 4; i++) shift(fours + i, fours);
    if (which == 3) shift((struct four *)&fours->b, fours);
    over(which == 4 ? (struct pair *)&constant : pairs + 1, pairs);
    unset.x = 1, unset.a = 2;
    if (which != 5) unset.b = 3;
    copy(pairs + 2, &unset), copy(pairs + 3, pairs + 2), copy(pairs, pairs + 3);
    for (int i = 0; i < 8; i++)
      if (pairs[i].b == 3) sum++;          // => uninitialized-read
    if (sum != 8 || fours[3].d != 4) abort();
    free(pairs), free(fours);
    if (which != 1) free(other);
    return 0;
  }`;

test('correct programs have no findings', () => expectClean(program));

const [freed, behind, overlap, constant, unset] = expectedPlaces(program);
test.each([
  [1, freed],
  [2, behind],
  [3, overlap],
  [4, constant],
  [5, unset],
])('case %i is found at its line, as without inline tests', (which, place) =>
  expectAsNotInlined(program, which, place),
);
