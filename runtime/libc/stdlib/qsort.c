/*
 * qsort and qsort_r: merge sort, stable, at most n log2 n comparisons.
 *
 * The standard does not ask for stability, but programs meet a stable qsort on most Linux machines,
 * and a result that differs there from here would be a puzzle. What is sorted are pointers to the
 * elements, which stay where they are until their order is known: so a comparison sees the caller's
 * array and nothing else, and what it reads outside of an element is not hidden by a buffer of
 * ours. Then each element is moved once. When there is no memory for the pointers, heapsort does
 * the work in place.
 */
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "sort.h"

#define LOCAL_POINTERS 96
#define LOCAL_ELEMENT 256

static void merge_sort(const __rz_sort *sort, char **order, size_t count, char **buffer) {
  if (count < 2) return;
  size_t half = count / 2;
  char **middle = order + half;
  merge_sort(sort, order, half, buffer);
  merge_sort(sort, middle, count - half, buffer);
  if (__rz_sort_compare(sort, middle[-1], middle[0]) <= 0) return;

  /*
   * The left half waits in the buffer; the gap that it leaves is always as long as what is left of
   * it.
   */
  memcpy(buffer, order, half * sizeof *buffer);
  char **left = buffer, **left_end = buffer + half, **right = middle, **right_end = order + count, **to = order;
  while (left < left_end && right < right_end) *to++ = __rz_sort_compare(sort, *left, *right) <= 0 ? *left++ : *right++;
  memcpy(to, left, (size_t)(left_end - left) * sizeof *to);
}

/* Puts what order[i] points to in place i, along the cycles of the permutation. */
static void arrange(char *base, size_t count, size_t size, char **order, char *spare) {
  for (size_t i = 0; i < count; i++) {
    char *first = base + i * size, *to = first;
    if (order[i] == first) continue;
    memcpy(spare, first, size);
    for (size_t at = i;;) {
      char *from = order[at];
      order[at] = to;
      if (from == first) break;
      memcpy(to, from, size);
      at = (size_t)(from - base) / size;
      to = from;
    }
    memcpy(to, spare, size);
  }
}

void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *argument) {
  __rz_range_read(base, count * size);
  if (count < 2 || size == 0) return;
  __rz_sort sort = {size, compare, argument};
  char *pointers[LOCAL_POINTERS], element[LOCAL_ELEMENT];
  size_t needed = count + count / 2;
  char **order = needed > LOCAL_POINTERS ? reallocarray(NULL, needed, sizeof *order) : pointers;
  char *spare = size > LOCAL_ELEMENT ? malloc(size) : element;
  if (order && spare) {
    for (size_t i = 0; i < count; i++) order[i] = (char *)base + i * size;
    merge_sort(&sort, order, count, order + count);
    arrange(base, count, size, order, spare);
  } else {
    __rz_heapsort(&sort, base, count);
  }
  if (order != pointers) free(order);
  if (spare != element) free(spare);
}

typedef int (*PlainCompare)(const void *, const void *);

static int call_plain(const void *a, const void *b, void *compare) { return (*(PlainCompare *)compare)(a, b); }

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  qsort_r(base, count, size, call_plain, &compare);
}
