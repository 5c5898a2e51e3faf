/*
 * bsearch: raw code (raw.h). The first comparison is a checked call; the others call the same
 * function.
 */
#include <stdlib.h>

#include "engine.h"
#include "raw.h"

typedef int (*Compare)(const void *, const void *);

__attribute__((noinline)) static int compare_plainly(Compare compare, const void *a, const void *b) {
  return compare(a, b);
}

RZ_RAW_BEGIN

RZ_RAW_ENTRY static void *search(const void *key, const char *first, size_t count, size_t size, Compare compare, int may_trust) {
  Compare direct = NULL;
  while (count != 0) {
    const char *middle = first + count / 2 * size;
    int order = direct ? direct(key, middle) : compare_plainly(compare, key, middle);
    if (may_trust) direct = compare;
    if (order == 0) return (void *)middle;
    if (order > 0) {
      first = middle + size;
      count--;
    }
    count /= 2;
  }
  return NULL;
}

RZ_RAW_END

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  const char *first = base;
  /* Only the ends of the array are checked: checking all of it would cost more than the search. */
  if (count != 0 && size != 0) __rz_range_read(first, 1), __rz_range_read(first + count * size - 1, 1);
  return search(key, first, count, size, compare, __rz_range_is_written(first, 1));
}
