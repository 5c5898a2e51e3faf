// The first run of equal elements.
#include "buggy.h"
typedef unsigned int size_type; typedef int value_type;
/*@
  predicate AllEqual{A}(value_type* a, integer m, integer n, value_type v) = \forall integer i; m <= i < n ==> a[i] == v;
  predicate HasSubRange{A}(value_type* a, integer n, value_type v, integer p) = \exists integer k; 0 <= k <= n - p && AllEqual(a, k, k + p, v);
*/
/*@ requires \valid_read(a + (0..n-1)); assigns \nothing;
    behavior has_match: assumes HasSubRange(a, n, v, p); ensures 0 <= \result <= n - p && AllEqual(a, \result, \result + p, v); //~ ERROR acsl-violation
    behavior no_match: assumes !HasSubRange(a, n, v, p); ensures \result == n;
    complete behaviors; disjoint behaviors; */
size_type search_n(const value_type *a, size_type n, value_type v, size_type p) {
  if (0u < p) {
    size_type start = 0u;
    /*@ loop invariant AllEqual(a, start, i, v);
        loop invariant start <= i <= n;
        loop invariant i - start < p;
        loop assigns i, start; loop variant n - i; */
    for (size_type i = 0u; i < n; ++i) {
      if (a[i] == v) { if (p == i + 1u - start) return start BUGGY(+ 1, ); }
      else start = i + 1u;
    }
    return n;
  }
  return 0u;
}
int main(void) { int a[] = {1, 2, 2, 1, 2, 2, 2}; search_n(a, 7, 2, 3); search_n(a, 7, 2, 4); return 0; }
