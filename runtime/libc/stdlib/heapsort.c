/* BSD's heapsort: sorts in place, not stably, with O(n log n) comparisons in the worst case. */
#include <bsd/stdlib.h>
#include <errno.h>
#include <string.h>

#include "engine.h"
#include "sort.h"

static void swap(char *a, char *b, size_t n) {
  char piece[64];
  for (size_t step; n != 0; a += step, b += step, n -= step) {
    step = n < sizeof piece ? n : sizeof piece;
    memcpy(piece, a, step);
    memcpy(a, b, step);
    memcpy(b, piece, step);
  }
}

/* Sifts element `root` down: its children are 2 root + 1 and 2 root + 2. */
static void sink(const __rz_sort *sort, char *base, size_t root, size_t count) {
  size_t size = sort->size;
  for (size_t child; (child = 2 * root + 1) < count; root = child) {
    if (child + 1 < count && __rz_sort_compare(sort, base + child * size, base + (child + 1) * size) < 0) child++;
    if (__rz_sort_compare(sort, base + root * size, base + child * size) >= 0) return;
    swap(base + root * size, base + child * size, size);
  }
}

void __rz_heapsort(const __rz_sort *sort, void *base, size_t count) {
  char *elements = base;
  for (size_t root = count / 2; root-- > 0;) sink(sort, elements, root, count);
  for (size_t last = count; last-- > 1;) {
    swap(elements, elements + last * sort->size, sort->size);
    sink(sort, elements, 0, last);
  }
}

typedef int (*PlainCompare)(const void *, const void *);

static int call_plain(const void *a, const void *b, void *compare) { return (*(PlainCompare *)compare)(a, b); }

int heapsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  if (size == 0) {
    errno = EINVAL;
    return -1;
  }
  __rz_range_read(base, count * size);
  __rz_sort sort = {size, call_plain, &compare};
  __rz_heapsort(&sort, base, count);
  return 0;
}
