/* The array and the comparison of a sort: shared by qsort, heapsort and mergesort. */
#ifndef RZ_SORT_H
#define RZ_SORT_H

#include <stddef.h>

typedef struct {
  size_t size; /* of an element */
  int (*compare)(const void *, const void *, void *);
  void *argument;
} __rz_sort;

static inline int __rz_sort_compare(const __rz_sort *sort, const void *a, const void *b) {
  return sort->compare(a, b, sort->argument);
}

void __rz_heapsort(const __rz_sort *sort, void *base, size_t count);

#endif
