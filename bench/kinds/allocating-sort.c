/* Merge sort that allocates both halves in each call, and a list that is sorted in place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check/random.h"

static void sort(unsigned *values, size_t n) {
  if (n < 2) return;
  size_t half = n / 2;
  unsigned *left = malloc(half * sizeof *left), *right = malloc((n - half) * sizeof *right);
  memcpy(left, values, half * sizeof *left);
  memcpy(right, values + half, (n - half) * sizeof *right);
  sort(left, half);
  sort(right, n - half);
  for (size_t i = 0, l = 0, r = 0; i < n; i++)
    values[i] = r == n - half || (l < half && left[l] <= right[r]) ? left[l++] : right[r++];
  free(left);
  free(right);
}

int main(void) {
  enum { N = 1000000 };
  unsigned *values = malloc(N * sizeof *values), mixed = 0;
  for (int i = 0; i < N; i++) values[i] = next_random();
  sort(values, N);
  for (int i = 0; i < N; i++) mixed = mixed * 31 + values[i];
  printf("%u\n", mixed);
  free(values);
  return 0;
}
