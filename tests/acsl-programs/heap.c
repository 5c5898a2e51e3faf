// push_heap: logic functions for parents, and counting elements before and after.
#include "buggy.h"
/*@ logic integer HeapLeft(integer i) = 2*i + 1;
    logic integer HeapRight(integer i) = 2*i + 2;
    logic integer HeapParent(integer i) = (i-1) / 2;
    predicate IsHeap{L}(int *a, integer n) = \forall integer i; 0 < i < n ==> a[HeapParent(i)] >= a[i]; */
/*@ requires 0 < n && \valid(a + (0..n-1)); requires IsHeap(a, n-1); assigns a[0..n-1]; ensures IsHeap(a, n); 
    ensures \numof(0, n-1, \lambda integer i; a[i] == \old(a[n-1])) == \numof(0, n-1, \lambda integer i; \old(a[i]) == \old(a[n-1])); */ //~^ ERROR acsl-violation
void push_heap(int *a, int n) {
  int v = a[n-1], hole = n - 1;
  /*@ loop invariant 0 <= hole < n; loop assigns hole, a[0..n-1]; loop variant hole; */
  while (hole > 0) {
    int p = (hole - 1) / 2;
    if (a[p] >= v) break;
    a[hole] = a[p]; hole = p;
    BUGGY(if (hole == 1) break, );
  }
  a[hole] = v;
}
int main(void) { int a[] = {9, 5, 8, 1, 2, 3, 4, 10}; push_heap(a, 8); return 0; }
