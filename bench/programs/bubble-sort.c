/* A sort whose contract asks about memory at its ends only: what the loops in between do needs no monitoring for it. */
#include <stdlib.h>

/*@ predicate sorted(int *a, integer n) = \forall integer i; 0 < i < n ==> a[i - 1] <= a[i]; */

/*@ requires n >= 0 && \valid(a + (0 .. n - 1));
    ensures sorted(a, n); */
void sort(int *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j + 1 < n - i; j++)
      if (a[j] > a[j + 1]) {
        int larger = a[j];
        a[j] = a[j + 1];
        a[j + 1] = larger;
      }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100;
  int *a = malloc((size_t)n * sizeof *a);
  if (a == NULL) return 1;
  for (int i = 0; i < n; i++) a[i] = i * 7919 % 10007;
  sort(a, n);
  free(a);
  return 0;
}
