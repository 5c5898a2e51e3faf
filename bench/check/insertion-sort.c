#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static void insertion_sort(int *a, int n) {
  for (int i = 1; i < n; i++) {
    int key = a[i], j = i - 1;
    while (j >= 0 && a[j] > key) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = key;
  }
}

int main(void) {
  enum { N = 50000 };
  int *a = malloc(N * sizeof *a), wrong = 0;
  for (int i = 0; i < N; i++) a[i] = (int)(next_random() >> 1);
  insertion_sort(a, N);
  for (int i = 1; i < N; i++) wrong += a[i - 1] > a[i];
  printf("%d %d\n", wrong, a[N / 2]);
  free(a);
  return 0;
}
