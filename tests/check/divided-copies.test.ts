/**
 * Structures that are only copied on become values, one for each granule, and so do those that are
 * passed by value to be stored (`src/passes/granules.ts`, `copied-arguments.ts`). Each case makes
 * one error after valid copies, with the message that `--keep-going` reports first, for which all
 * structures stay in memory.
 */
import { test } from 'vitest';
import { expectAsNotInlined, expectClean, expectedPlaces } from './check-c.js';

const program = `
  #include <stdlib.h>
  #include <string.h>
  struct item { int key; double cost; const char *name; };
  struct pixel { unsigned char r, g, b, a; };
  struct heap { struct item *items; int count; };
  static const struct item constant = {1, 2, "c"};
  __attribute__((noinline)) static void exchange(struct item *a, struct item *b) {
    struct item old = *a;
    *a = *b;                               // => use-after-free
    *b = old;                              // => write-to-constant
  }
  __attribute__((noinline)) static void push(struct heap *heap, struct item item) {
    heap->items[heap->count++] = item;     // => heap-buffer-overflow
  }
  static struct pixel get(const struct pixel *all, int i) {
    return all[i < 0 ? 0 : i];             // => heap-buffer-overflow
  }
  static void set(struct pixel *all, int i, struct pixel pixel) { all[i] = pixel; }
  int main(int argc, char **argv) {
    int which = atoi(argv[1]), sum = 0;
    struct heap heap = {calloc(8, sizeof(struct item)), 0};
    struct item *raw = malloc(2 * sizeof *raw), *other = malloc(sizeof *other), item = {3, 4, "i"};
    for (int i = 0; i < (which == 1 ? 9 : 8); i++) push(&heap, item), item.key++;
    *other = constant, raw[0] = item, raw[1].cost = 1, raw[1].name = "raw";
    if (which != 2) raw[1].key = 7;
    if (which == 3) free(other);
    exchange(heap.items, other);
    if (which == 4) exchange(heap.items, (struct item *)&constant);
    exchange(heap.items + 1, raw + 1), exchange(heap.items + 2, heap.items + 1);
    if (heap.items[2].key == 7) sum++;     // => uninitialized-read
    memset(raw, 0, sizeof *raw), exchange(raw, heap.items + 3), exchange(heap.items + 3, raw);
    if (((unsigned char *)raw)[5] == 0) sum++;
    unsigned char *bytes = (unsigned char *)(heap.items + (which == 5 ? 2 : 5));
    if (bytes[5] < 9) sum++;               // => uninitialized-read
    struct pixel *pixels = malloc(9 * sizeof *pixels), unset;
    unset.r = 1, unset.g = 2, unset.b = 3;
    for (int i = 0; i < 9; i++) set(pixels, i, (struct pixel){i, i, i, 255});
    for (int i = -1; i < (which == 6 ? 10 : 9); i++) {
      struct pixel p = get(pixels, i);
      sum += p.r + p.g - p.b;
    }
    if (which == 7) set(pixels, 3, unset);
    struct pixel third = get(pixels, 3);
    if (third.a == 255) sum++;             // => uninitialized-read
    if (sum != 40 || heap.items[7].key != 10) abort();
    free(heap.items), free(raw), free(pixels);
    if (which != 3) free(other);
    return 0;
  }`;

test('correct programs have no findings', () => expectClean(program));

const [freed, constant, pushed, got, key, padding, unset] = expectedPlaces(program);
test.each([
  [1, pushed],
  [2, key],
  [3, freed],
  [4, constant],
  [5, padding],
  [6, got],
  [7, unset],
  // A structure of four bytes is one value, so a report names the undefined one of four bytes.
])('case %i is found at its line, as in memory', (which, place) =>
  expectAsNotInlined(program, which, place, which !== 7),
);
