// Values of earlier states under quantifiers whose ranges change: the blocks that pointers led to are kept.
#include <stdlib.h>
#include "buggy.h"

/*@ predicate Unchanged{K,L}(int *a, integer m, integer n) = \forall integer i; m <= i < n ==> \at(a[i], K) == \at(a[i], L);
    predicate Reversed{K,L}(int *a, integer n, integer lo, integer hi) =
      \forall integer j; lo <= j < hi ==> \at(a[j], K) == \at(a[n - 1 - j], L);
    logic integer twice(int *a, integer i) = 2 * a[i]; */

static int count;

/*@ requires n > 0;
    assigns a[0 .. n-1], count; */
static void increments(int *a, int n) {
  /*@ loop invariant Unchanged{Pre,Here}(a, i, n);
      loop invariant \forall integer k; 0 <= k < i ==> a[k] == \at(a[k], Pre) + BUGGY((k == 2 ? 1 : 0), 0) + 1; //~ ERROR acsl-violation
      loop invariant \forall integer k; 0 <= k < i ==> a[k] == \at(a[k] + 1, LoopEntry);
      loop invariant \forall integer k; 0 <= k < i ==> 2 * a[k] == \at(twice(a, k), Pre) + 2;
      loop invariant \forall integer k; i < k < n ==> a[k] == \at(*(a + k), LoopCurrent);
      loop assigns i, a[0 .. n-1], count; */
  for (int i = 0; i < n; i++) a[i]++, count++;
  //@ assert \forall integer k; 0 <= k < count ==> a[k] == \at(a[k], Pre) + 1;
  a = a + 1, n = n - 1;
  //@ assert \forall integer k; 0 <= k < n ==> a[k] == \at(a[k + 1], Pre) + BUGGY(2, 1); //~ ERROR acsl-violation
}

struct point { int x, y; short s[2]; };
static struct point points[3] = {{1, 2, {3, 4}}, {5, 6, {7, 8}}, {9, 10, {11, 12}}};
static int grid[2][3] = {{1, 2, 3}, {4, 5, 6}}, top = 3;

/*@ ensures \forall integer i; 0 <= i < top ==> points[i].x == \old(points[i].y);
    ensures \forall integer i; 0 <= i < top ==> points[i].s[1] == \old(points[i].s[0]) + BUGGY(i, 0); //~ ERROR acsl-violation
    ensures \forall integer i, j; 0 <= i < top - 2 && 0 <= j < top - 1 ==> grid[i][j] == \old(grid[i][j]) + BUGGY(j, 0); //~ ERROR acsl-violation
*/
static void moves(void) {
  for (int i = 0; i < 3; i++) points[i].x = points[i].y, points[i].s[1] = points[i].s[0];
}

/*@ requires n >= 0;
    ensures Reversed{Pre,Post}(a, n, 0, n); */
static void reverses(int *a, int n) {
  int i = 0, j = n - 1;
  /*@ loop invariant i + j == n - 1;
      loop invariant Reversed{Pre,Here}(a, n, 0, i) && Reversed{Pre,Here}(a, n, j + 1, n);
      loop invariant Unchanged{Pre,Here}(a, i, j + 1);
      loop assigns i, j, a[0 .. n-1];
      loop variant j; */
  while (i < j) {
    int t = a[i];
    a[i++] = a[j];
    a[j--] = t;
  }
}

int main(void) {
  int a[4] = {1, 2, 3, 4}, *heap = calloc(3, sizeof *heap);
  if (heap == NULL) return 1;
  increments(a, 4);
  moves();
  reverses(a, 4);
  count = 0;
  increments(heap, 3);
  free(heap);
  return 0;
}
