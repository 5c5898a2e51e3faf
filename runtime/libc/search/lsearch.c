/* Linear search. */
#include <search.h>
#include <string.h>

#include "engine.h"

void *lfind(const void *key, const void *base, size_t *count, size_t size, int (*compare)(const void *, const void *)) {
  const char *element = base;
  __rz_range_read(base, *count * size);
  for (size_t i = 0; i < *count; i++, element += size) {
    if (compare(key, element) == 0) return (void *)element;
  }
  return 0;
}

void *lsearch(const void *key, void *base, size_t *count, size_t size, int (*compare)(const void *, const void *)) {
  void *found = lfind(key, base, count, size, compare);
  if (found) return found;
  return memcpy((char *)base + size * (*count)++, key, size);
}
