/**
 * Small functions that are called in loops, or with the address of a local, are inlined before the
 * checks are inserted (record 0284). Each case makes one error in or around such a function. Its
 * finding has the message and the frames of the one that `--keep-going` reports first, for which
 * nothing is inlined.
 */
import { test } from 'vitest';
import { expectAsNotInlined, expectClean, expectedPlaces } from './check-c.js';

const program = `
  #include <stdlib.h>
  struct grid { int rows, columns; int *cells; };
  static int get(const struct grid *g, int row, int column) {
    return g->cells[row * g->columns + column];            // => heap-buffer-overflow
  }
  static void set(struct grid *g, int row, int column, int to) {
    g->cells[row * g->columns + column] = to;              // => heap-buffer-overflow
  }
  static int next(const char **at, const char *end, int *digit) {
    if (*at == end) return 0;
    int c = *(*at)++;                                      // => heap-buffer-overflow
    if (c == '-') return -1;
    *digit = c - '0';
    return 1;
  }
  static int sum(const char *text, const char *end, int stops) {
    int total = 0, digit, found;
    while ((found = next(&text, end, &digit)) != 0) {
      if (found < 0 && !stops) break;
      total += digit;
    }
    return total;                                          // => uninitialized-read
  }
  static long product(const char *text, const char *end) {
    int digit;
    long total = 1;
    while (next(&text, end, &digit) > 0) total *= digit;
    return total;
  }
  static int sign(int value) {
    if (value < 0) return -1;
    return value > 0;
  }
  static int first(const int *values, int n) {
    int value = 0;
    if (n > 0) value = values[0];                          // => use-after-free
    return value;
  }
  static int worth(char c) {
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= '0' && c <= '9') return c - '0';
    return -1;
  }
  static int doubled(int n) {
    return n * 2;                                          // => signed-overflow
  }
  static int *kept;
  static void keep(int *local) { kept = local; }
  int main(int argc, char **argv) {
    int which = atoi(argv[1]), total = 0, unset[4], n = 4;
    struct grid g = {3, n, calloc(12, sizeof *g.cells)};
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 4; c++) {
        set(&g, r, which == 2 && r == 2 ? c + 1 : c, r - c);
        unset[c] = r;
      }
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 4; c++) total += get(&g, which == 1 ? r + 1 : r, c);
    if (total != -6) abort();
    char *digits = malloc(8);
    for (int i = 0; i < 8; i++) digits[i] = (char)('1' + i);
    if (which == 4) digits[0] = '-';
    if (sum(digits, digits + (which == 3 ? 9 : 8), which == 4) != 36) abort();
    if (product(digits, digits + 8) != 40320) abort();
    int *fresh = malloc(4 * sizeof *fresh);
    for (int i = 0; i < 3; i++) fresh[i] = i + 1;
    for (int i = 0; i < (which == 5 ? 4 : 3); i++)
      total += sign(fresh[i]);                             // => uninitialized-read
    if (total != -3) abort();
    if (which == 6) free(fresh);
    for (int i = 0; i < 3; i++) total += first(fresh + i, 1);
    if (which != 6) free(fresh);
    for (int i = 0; i < 8; i++) total += worth(digits[i]);
    for (int i = 0; i < 31; i++) total = doubled(which == 7 ? 1 << i : i);
    for (int i = 0; i < 2; i++) {
      int local = i;
      keep(&local);
    }
    if (which == 8) total += *kept;                        // => use-after-scope
    free(g.cells), free(digits);
    return total == 60 && unset[0] == 2 ? 0 : 1;
  }`;

test('correct programs have no findings', () => expectClean(program));

const [get, set, behind, unset, freed, overflow, element, scope] = expectedPlaces(program);
test.each([
  [1, get],
  [2, set],
  [3, behind],
  [4, unset],
  [5, element],
  [6, freed],
  [7, overflow],
  [8, scope],
])('case %i is found at its line, as without inlining', (which, place) =>
  expectAsNotInlined(program, which, place),
);
