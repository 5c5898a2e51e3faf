#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}

static void quick_sort(int *a, int low, int high) {
  if (low >= high) return;
  swap(&a[low + (high - low) / 2], &a[high]);
  int pivot = a[high], i = low;
  for (int j = low; j < high; j++)
    if (a[j] < pivot) swap(&a[i++], &a[j]);
  swap(&a[i], &a[high]);
  quick_sort(a, low, i - 1);
  quick_sort(a, i + 1, high);
}

int main(void) {
  enum { N = 2000000 };
  int *a = malloc(N * sizeof *a), wrong = 0;
  for (int i = 0; i < N; i++) a[i] = (int)(next_random() >> 1);
  quick_sort(a, 0, N - 1);
  for (int i = 1; i < N; i++) wrong += a[i - 1] > a[i];
  printf("%d %d\n", wrong, a[N / 2]);
  free(a);
  return 0;
}
