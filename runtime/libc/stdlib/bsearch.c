/* bsearch */
#include <stdlib.h>

#include "engine.h"

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  const char *first = base;
  /* Only the ends of the array are checked: checking all of it would cost more than the search. */
  if (count != 0 && size != 0) __rz_range_read(first, 1), __rz_range_read(first + count * size - 1, 1);
  while (count != 0) {
    const char *middle = first + count / 2 * size;
    int order = compare(key, middle);
    if (order == 0) return (void *)middle;
    if (order > 0) {
      first = middle + size;
      count--;
    }
    count /= 2;
  }
  return NULL;
}
