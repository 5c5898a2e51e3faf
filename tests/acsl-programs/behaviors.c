// Complete and disjoint behaviors, and annotations for some of them.
#include "buggy.h"
/*@ behavior low: assumes x < 10; ensures \result == 0;
    behavior high: assumes x > BUGGY(10, 9); ensures \result == 1;
    complete behaviors; //~ ERROR acsl-violation
    disjoint behaviors low, high; */
int level(int x) { return x >= 10; }
/*@ behavior a: assumes x <= 0; behavior b: assumes x BUGGY(>=, >) 0;
    disjoint behaviors; */ //~ ERROR acsl-violation
int sign(int x) { return x > 0; }
/*@ requires \valid(p); behavior b1: assumes *p > 0; assigns *p; ensures *p == \old(*p) - 1; behavior b2: assumes *p <= 0; assigns \nothing; complete behaviors; disjoint behaviors; */
void dec(int *p) { if (*p BUGGY(>=, >) 0) --*p; } //~ ERROR acsl-violation
/*@ behavior small: assumes n < 5; behavior big: assumes n >= 5; */
int body(int n) {
  int r = 0;
  //@ for small: assert n <= BUGGY(3, 4); //~ ERROR acsl-violation
  //@ for big, small: check r == 0;
  /*@ for big: loop invariant r <= n; loop assigns r; */
  while (r < n) r++;
  /*@ for small: ensures r == n + BUGGY(2, 1); */ //~ ERROR acsl-violation
  r++;
  return r;
}
int main(void) { level(10); sign(0); int x = 0; dec(&x); x = 4; dec(&x); body(4); body(8); return 0; }
