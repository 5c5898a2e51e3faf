/* qsort (stable here and with glibc), qsort_r, bsearch */
#include <stdlib.h>

#include "checksum.h"

static int comparisons;

static int by_first_byte(const void *a, const void *b) {
  comparisons++;
  return *(const unsigned char *)a - *(const unsigned char *)b;
}

static int by_column(const void *a, const void *b, void *column) {
  return ((const unsigned char *)a)[*(int *)column] - ((const unsigned char *)b)[*(int *)column];
}

static int by_value(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int main(void) {
  static unsigned char bytes[60000];
  for (int round = 0; round < 600; round++) {
    size_t count = random64() % (round % 100 == 0 ? 2000 : 40), size = 1 + random64() % 20;
    for (size_t i = 0; i < count * size; i++) bytes[i] = (unsigned char)(random64() % (round % 2 ? 256 : 4));
    qsort(bytes, count, size, by_first_byte);
    add_bytes(bytes, count * size);
    int column = (int)(random64() % size);
    qsort_r(bytes, count, size, by_column, &column);
    add_bytes(bytes, count * size);
  }
  print_sum("qsort");
  static int sorted[100000];
  for (int i = 0; i < 100000; i++) sorted[i] = i;
  qsort(sorted, 100000, sizeof *sorted, by_value);
  for (int i = 0; i < 100000; i++) add64(sorted[i]), sorted[i] = 100000 - i;
  qsort(sorted, 100000, sizeof *sorted, by_value);
  for (int i = 0; i < 100000; i++) add64(sorted[i]), sorted[i] = 3 * i;
  print_sum("large");
  for (int key = -5; key < 1000; key++) {
    int *found = bsearch(&key, sorted, 300, sizeof *sorted, by_value);
    add64(found ? found - sorted : -1);
  }
  print_sum("bsearch");
  qsort(sorted, 0, sizeof *sorted, by_value);
  qsort(sorted, 1, sizeof *sorted, by_value);
  printf("%d\n", bsearch(&comparisons, sorted, 0, sizeof *sorted, by_value) == NULL);
}
