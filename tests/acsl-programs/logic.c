// Recursive definitions, definitions about several states, permutations.
#include "buggy.h"
/*@ logic integer fact(integer n) = n <= 0 ? 1 : n * fact(n - 1);
    logic integer fib(integer n) = n < 2 ? n : fib(n - 1) + fib(n - 2);
    logic integer gcd_(integer a, integer b) = b == 0 ? \abs(a) : gcd_(b, a % b);
    predicate even(integer n) = n == 0 ? \true : odd(n - 1);
    predicate odd(integer n) = n == 0 ? \false : even(n - 1);
    logic real half(real x) = x / 2;
    logic int *nth(int *p, integer n) = p + n;
    logic integer zero = 0;
    predicate is_zero(integer x) = x == zero;
    logic boolean flag(integer x) = x > 0;
    logic integer count{L}(int *a, integer m, integer n, int v) = n <= m ? 0 : count(a, m, n - 1, v) + (a[n - 1] == v ? 1 : 0);
    predicate permutation{A,B}(int *a, integer n) = \forall integer i; 0 <= i < n ==> \numof(0, n - 1, \lambda integer k; \at(a[k], A) == \at(a[i], A)) == \numof(0, n - 1, \lambda integer k; \at(a[k], B) == \at(a[i], A));
    predicate sorted(int *a, integer n) = \forall integer i; 0 < i < n ==> a[i - 1] <= a[i];
 */
/*@ requires \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures sorted(a, n); ensures permutation{Pre,Here}(a, n); */ //~ ERROR acsl-violation
void sort(int *a, int n) {
  /*@ loop invariant 0 <= i <= n; loop invariant sorted(a, i); loop assigns i, a[0 .. n - 1]; loop variant n - i; */
  for (int i = 0; i < n; i++) {
    int v = a[i], j = i;
    /*@ loop invariant 0 <= j <= i; loop assigns j, a[0 .. i]; loop variant j; */
    while (j > 0 && a[j - 1] > v) { a[j] = a[j - 1]; j--; }
    a[j] = v;
  }
  BUGGY(a[n - 1] = 100, );
}
/*@ requires b >= 0; ensures \result == gcd_(a, b); */ //~ ERROR acsl-violation
int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a BUGGY(+ 1, ); }
int main(void) {
  int a[] = {5, 3, 3, 9, 1};
  //@ assert fact(30) == BUGGY(1, 265252859812191058636308480000000) && fib(15) == 610; //~ ERROR acsl-violation
  //@ assert even(10) && !odd(10) && odd(7) && BUGGY(odd(8), even(8)); //~ ERROR acsl-violation
  //@ assert half(3) == BUGGY(1, 1.5) && *nth(a, 3) == 9 && is_zero(0) && flag(3) == \true; //~ ERROR acsl-violation
  //@ assert count(a, 0, 5, 3) == BUGGY(1, 2); //~ ERROR acsl-violation
  sort(a, 5); gcd(12, 18);
  return 0; }
