/* all_zeros of the hybrid-monitoring paper, over a million elements, called as often as the first argument says. */
#include <stdlib.h>

/*@ requires n >= 0 && \valid(t + (0 .. n - 1));
    assigns \nothing;
    ensures \result != 0 <==> (\forall integer j; 0 <= j < n ==> t[j] == 0);
*/
int all_zeros(int t[], int n) {
  int k;
  /*@ loop invariant 0 <= k <= n;
      loop invariant \forall integer j; 0 <= j < k ==> t[j] == 0;
      loop assigns k;
      loop variant n - k;
  */
  for (k = 0; k < n; k++)
    if (t[k] != 0) return 0;
  return 1;
}

int main(int argc, char **argv) {
  int n = 1000000, times = argc > 1 ? atoi(argv[1]) : 1, sum = 0;
  int *t = calloc((size_t)n, sizeof *t);
  if (t == NULL) return 1;
  for (int i = 0; i < times; i++) sum += all_zeros(t, n);
  free(t);
  return sum != times;
}
