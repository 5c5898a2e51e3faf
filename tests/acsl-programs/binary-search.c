// A search in a sorted array, with an invariant for one behavior.
#include "buggy.h"
/*@ predicate sorted{L}(long *t, integer a, integer b) = \forall integer i,j; a <= i <= j <= b ==> t[i] <= t[j]; */
/*@ requires n >= 0 && \valid_read(t + (0..n-1));
    ensures -1 <= \result < n;
    behavior success: ensures \result >= 0 ==> t[\result] == v;
    behavior failure: assumes sorted(t, 0, n - 1);
      ensures \result == -1 ==> \forall integer k; 0 <= k < n ==> t[k] != v; //~ ERROR acsl-violation
*/
int bsearch_(long t[], int n, long v) {
  int l = 0, u = n - 1;
  /*@ loop invariant 0 <= l && u <= n-1;
      for failure: loop invariant \forall integer k; 0 <= k < n && t[k] == v ==> l <= k <= u; //~ ERROR acsl-violation
      loop variant u - l; */
  while (l BUGGY(<, <=) u) {
    int m = l + (u - l) / 2;
    //@ assert l <= m <= u;
    if (t[m] < v) l = m + 1;
    else if (t[m] > v) u = m - BUGGY(2, 1);
    else return m;
  }
  return -1;
}
int main(void) { long t[] = {1, 3, 5, 7, 9}; for (int i = 0; i < 11; i++) bsearch_(t, 5, i); return 0; }
