#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static void merge_sort(int *a, int *scratch, int low, int high) {
  if (high - low < 2) return;
  int middle = low + (high - low) / 2;
  merge_sort(a, scratch, low, middle);
  merge_sort(a, scratch, middle, high);
  int i = low, j = middle, k = low;
  while (i < middle && j < high) scratch[k++] = a[i] <= a[j] ? a[i++] : a[j++];
  while (i < middle) scratch[k++] = a[i++];
  while (j < high) scratch[k++] = a[j++];
  for (k = low; k < high; k++) a[k] = scratch[k];
}

int main(void) {
  enum { N = 1500000 };
  int *a = malloc(N * sizeof *a), *scratch = malloc(N * sizeof *scratch), wrong = 0;
  for (int i = 0; i < N; i++) a[i] = (int)(next_random() >> 1);
  merge_sort(a, scratch, 0, N);
  for (int i = 1; i < N; i++) wrong += a[i - 1] > a[i];
  printf("%d %d\n", wrong, a[N / 2]);
  free(scratch);
  free(a);
  return 0;
}
