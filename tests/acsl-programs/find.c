// The first element with a value: behaviors over a predicate.
#include "buggy.h"
typedef unsigned int size_type; typedef int value_type; typedef int bool_t;
/*@ predicate IsValidRange(value_type* a, integer n) = (0 <= n) && \valid_read(a + (0..n-1)); */
/*@ predicate HasValue{A}(value_type* a, integer n, value_type val) = \exists integer i; 0 <= i < n && a[i] == val; */
/*@
  requires valid: \valid_read(a + (0..n-1));
  assigns \nothing;
  ensures result: 0 <= \result <= n;
  behavior some:
    assumes HasValue(a, n, val);
    assigns \nothing;
    ensures bound: 0 <= \result < n;
    ensures result: a[\result] == val;
    ensures first: !HasValue(a, \result, val); //~ ERROR acsl-violation
  behavior none:
    assumes !HasValue(a, n, val);
    assigns \nothing;
    ensures result: \result == n;
  complete behaviors;
  disjoint behaviors;
*/
size_type find(const value_type* a, size_type n, value_type val)
{
#ifdef FIXED
  /*@
    loop invariant bound: 0 <= i <= n;
    loop invariant not_found: !HasValue(a, i, val);
    loop assigns i;
    loop variant n-i;
  */
  for (size_type i = 0u; i < n; i++) {
    if (a[i] == val) { return i; }
  }
  return n;
#else
  for (size_type i = n; i > 0; i--) if (a[i - 1] == val) return i - 1;
  return n;
#endif
}
int main(void) { int a[] = {1, 2, 3, 2, 1}; find(a, 5, 2); find(a, 5, 9); find(a, 0, 1); return 0; }
