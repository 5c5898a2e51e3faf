#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static int binary_search(const int *a, int n, int key) {
  int low = 0, high = n - 1;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (a[middle] == key) return middle;
    if (a[middle] < key) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

int main(void) {
  enum { N = 1 << 16, ROUNDS = 3000000 };
  int *a = malloc(N * sizeof *a), found = 0;
  for (int i = 0; i < N; i++) a[i] = 3 * i;
  for (int i = 0; i < ROUNDS; i++) found += binary_search(a, N, (int)(next_random() % (3 * N))) >= 0;
  printf("%d\n", found);
  free(a);
  return 0;
}
