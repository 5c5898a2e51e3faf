/*
 * qsort and qsort_r: merge sort, stable, at most n log2 n comparisons.
 *
 * The standard does not require stability, but qsort is stable on most Linux machines, and a result
 * that differs here would confuse users. Pointers to the elements are sorted, and the elements stay
 * where they are until their order is known. So a comparison sees the caller's array and nothing
 * else, and a read outside an element is not hidden by a buffer of the library. Then each element
 * is moved once. When there is no memory for the pointers, heapsort sorts in
 * place.
 *
 * The pointers are sorted by raw code (raw.h). Moves are checked, and so is the call of the first
 * comparison: the others call the same function.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "raw.h"
#include "sort.h"

#define LOCAL_POINTERS 96
#define LOCAL_ELEMENT 256
#define FEW_POINTERS 16

typedef int (*PlainCompare)(const void *, const void *);
typedef int (*Compare)(const void *, const void *, void *);

__attribute__((noinline)) static int compare_plainly(PlainCompare compare, const void *a, const void *b) {
  return compare(a, b);
}

__attribute__((noinline)) static int compare_with(Compare compare, void *argument, const void *a, const void *b) {
  return compare(a, b, argument);
}

RZ_RAW_BEGIN

/* Exactly one of `plain` and `compare` is null. */
struct order {
  PlainCompare plain;
  Compare compare;
  void *argument;
  int may_trust;       /* the engine does not have to follow each comparison */
  PlainCompare direct; /* `plain`, after a checked call */
};

static inline __attribute__((always_inline)) int is_behind(struct order *order, const void *a, const void *b) {
  if (order->direct) return order->direct(a, b) > 0;
  if (!order->plain) return compare_with(order->compare, order->argument, a, b) > 0;
  int result = compare_plainly(order->plain, a, b);
  if (order->may_trust) order->direct = order->plain;
  return result > 0;
}

/* Most parts are so short that a call takes longer than the moves. */
static inline __attribute__((always_inline)) void move_pointers(char **to, char **from, size_t count) {
  if (count > FEW_POINTERS) __rz_raw_memmove(to, from, count * sizeof *to);
  else
    for (size_t i = 0; i < count; i++) to[i] = from[i];
}

/* Sorts at least two pointers. */
static void merge_sort(struct order *by, char **order, size_t count, char **buffer) {
  size_t half = count / 2;
  char **middle = order + half;
  if (half > 1) merge_sort(by, order, half, buffer);
  if (count - half > 1) merge_sort(by, middle, count - half, buffer);
  if (!is_behind(by, middle[-1], middle[0])) return;

  /*
   * The left half is moved to the buffer; the gap that it leaves is always as long as the rest of
   * that half.
   */
  move_pointers(buffer, order, half);
  char **left = buffer, **left_end = buffer + half, **right = middle, **right_end = order + count, **to = order;
  while (left < left_end && right < right_end) *to++ = is_behind(by, *left, *right) ? *right++ : *left++;
  move_pointers(to, left, (size_t)(left_end - left));
}

/* Sorts pointers to the elements; half as many free slots follow the pointers. */
RZ_RAW_ENTRY static void sort_pointers(char **pointers, char *base, size_t count, size_t size, PlainCompare plain,
                                       Compare compare, void *argument, int may_trust) {
  struct order by = {plain, compare, argument, may_trust, NULL};
  for (size_t i = 0; i < count; i++) pointers[i] = base + i * size;
  merge_sort(&by, pointers, count, pointers + count);
}

RZ_RAW_END

/*
 * Moves the element that order[i] points to to index i, along the cycles of the permutation. Raw
 * code does so if all bytes of the array are initialised and may be written.
 */
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

RZ_RAW_BEGIN

/* Addresses have 32 bits, and a division of 64 takes long. */
static inline size_t index_of(size_t offset, size_t size) { return (uint32_t)offset / (uint32_t)size; }

RZ_RAW_ENTRY static void arrange_raw(char *base, size_t count, size_t size, char **order, char *spare) {
  for (size_t i = 0; i < count; i++) {
    char *first = base + i * size, *to = first;
    if (order[i] == first) continue;
    __rz_raw_memmove(spare, first, size);
    for (size_t at = i;;) {
      char *from = order[at];
      order[at] = to;
      if (from == first) break;
      __rz_raw_memmove(to, from, size);
      at = index_of((size_t)(from - base), size);
      to = from;
    }
    __rz_raw_memmove(to, spare, size);
  }
}

/* Sorts a few elements in locals that the monitor does not know. 0 if moves must be checked. */
RZ_RAW_ENTRY static int sort_few(char *base, size_t count, size_t size, PlainCompare plain, Compare compare, void *argument) {
  char *pointers[LOCAL_POINTERS], element[LOCAL_ELEMENT];
  sort_pointers(pointers, base, count, size, plain, compare, argument, 1);
  if (!__rz_range_is_written(base, count * size) || !__rz_range_takes_write(base, count * size)) return 0;
  arrange_raw(base, count, size, pointers, element);
  return 1;
}

RZ_RAW_END

static int call_plain(const void *a, const void *b, void *compare) { return (*(PlainCompare *)compare)(a, b); }

/* A function of its own, since `plain`, whose address is taken, is an object for the monitor. */
__attribute__((noinline)) static void sort_in_place(void *base, size_t count, size_t size, PlainCompare plain,
                                                    Compare compare, void *argument) {
  __rz_sort sort = {size, plain ? call_plain : compare, plain ? (void *)&plain : argument};
  __rz_heapsort(&sort, base, count);
}

static inline __attribute__((always_inline)) void sort(void *base, size_t count, size_t size, PlainCompare plain,
                                                       Compare compare, void *argument) {
  __rz_range_read(base, count * size);
  if (count < 2 || size == 0) return;
  size_t needed = count + count / 2;
  int are_few = needed <= LOCAL_POINTERS && size <= LOCAL_ELEMENT && __rz_range_is_written(base, count * size);
  if (are_few && sort_few(base, count, size, plain, compare, argument)) return;
  char *pointers[LOCAL_POINTERS], element[LOCAL_ELEMENT];
  char **order = needed > LOCAL_POINTERS ? reallocarray(NULL, needed, sizeof *order) : pointers;
  char *spare = size > LOCAL_ELEMENT ? malloc(size) : element;
  if (order && spare) {
    __rz_range_write(order, needed * sizeof *order);
    sort_pointers(order, base, count, size, plain, compare, argument, __rz_range_is_written(base, 1));
    int is_plain = __rz_range_is_written(base, count * size) && __rz_range_takes_write(base, count * size);
    if (is_plain) arrange_raw(base, count, size, order, spare);
    else arrange(base, count, size, order, spare);
  } else {
    sort_in_place(base, count, size, plain, compare, argument);
  }
  if (order != pointers) free(order);
  if (spare != element) free(spare);
}

void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *argument) {
  sort(base, count, size, NULL, compare, argument);
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  sort(base, count, size, compare, NULL, NULL);
}
