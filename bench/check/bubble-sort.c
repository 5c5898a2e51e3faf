#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static void bubble_sort(int *a, int n) {
  for (int last = n - 1; last > 0; last--)
    for (int i = 0; i < last; i++)
      if (a[i] > a[i + 1]) {
        int t = a[i];
        a[i] = a[i + 1];
        a[i + 1] = t;
      }
}

int main(void) {
  enum { N = 12000 };
  int *a = malloc(N * sizeof *a);
  for (int i = 0; i < N; i++) a[i] = (int)(next_random() % 1000000);
  bubble_sort(a, N);
  int wrong = 0;
  for (int i = 1; i < N; i++) wrong += a[i - 1] > a[i];
  printf("%d %d %d\n", wrong, a[0], a[N - 1]);
  free(a);
  return 0;
}
