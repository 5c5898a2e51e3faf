/*
 * qsort and qsort_r: merge sort, stable, at most n log2 n comparisons.
 *
 * The standard does not ask for stability, but programs meet a stable qsort on most Linux machines, and a result that
 * differs there from here would be a puzzle. The price is a buffer for half of the elements; when there is no memory for
 * it, heapsort does the work in place.
 */
#include <stdlib.h>
#include <string.h>

#include "sort.h"

#define LOCAL_BUFFER 1024

static void merge_sort(const __rz_sort *sort, char *base, size_t count, char *buffer) {
  if (count < 2) return;
  size_t size = sort->size, half = count / 2;
  char *middle = base + half * size;
  merge_sort(sort, base, half, buffer);
  merge_sort(sort, middle, count - half, buffer);
  if (__rz_sort_compare(sort, middle - size, middle) <= 0) return;

  /* The left half waits in the buffer; the gap that it leaves is always as long as what is left of it. */
  memcpy(buffer, base, half * size);
  char *left = buffer, *left_end = buffer + half * size, *right = middle, *right_end = base + count * size, *to = base;
  while (left < left_end && right < right_end) {
    char **smaller = __rz_sort_compare(sort, left, right) <= 0 ? &left : &right;
    memcpy(to, *smaller, size);
    *smaller += size;
    to += size;
  }
  memcpy(to, left, (size_t)(left_end - left));
}

void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *argument) {
  if (count < 2 || size == 0) return;
  __rz_sort sort = {size, compare, argument};
  char local[LOCAL_BUFFER], *buffer = local;
  size_t needed = count / 2 * size;
  if (needed > sizeof local && !(buffer = malloc(needed))) {
    __rz_heapsort(&sort, base, count);
    return;
  }
  merge_sort(&sort, base, count, buffer);
  if (buffer != local) free(buffer);
}

typedef int (*PlainCompare)(const void *, const void *);

static int call_plain(const void *a, const void *b, void *compare) { return (*(PlainCompare *)compare)(a, b); }

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  qsort_r(base, count, size, call_plain, &compare);
}
