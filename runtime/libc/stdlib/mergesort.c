/* BSD's mergesort: our qsort is a merge sort. */
#include <bsd/stdlib.h>
#include <errno.h>

int mergesort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  if (size == 0) {
    errno = EINVAL;
    return -1;
  }
  qsort(base, count, size, compare);
  return 0;
}
