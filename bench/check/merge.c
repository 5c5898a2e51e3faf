#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static void merge(const int *a, int n, const int *b, int m, int *out) {
  int i = 0, j = 0, k = 0;
  while (i < n && j < m) out[k++] = a[i] <= b[j] ? a[i++] : b[j++];
  while (i < n) out[k++] = a[i++];
  while (j < m) out[k++] = b[j++];
}

int main(void) {
  enum { N = 500000, ROUNDS = 60 };
  int *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), *out = malloc(2 * N * sizeof *out);
  long sum = 0;
  a[0] = b[0] = 0;
  for (int i = 1; i < N; i++) {
    a[i] = a[i - 1] + (int)(next_random() % 8);
    b[i] = b[i - 1] + (int)(next_random() % 8);
  }
  for (int round = 0; round < ROUNDS; round++) {
    merge(a, N, b, N, out);
    sum += out[round * 1000];
  }
  printf("%ld\n", sum);
  free(out);
  free(b);
  free(a);
  return 0;
}
