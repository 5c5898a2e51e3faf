// engines: check
// Two levels of scopes: each pointer outlives its own.
#include "../golden/cases.h"

int main(void) {
  int *outer, *inner, keep[2] = {0, 0};
  {
    int a[4] = {1, 2, 3, 4};
    outer = BUGGY(a, keep);
    {
      int b[4] = {5, 6, 7, 8};
      inner = BUGGY(b, keep + 1);
      *inner = *outer;
    }
    {
      int c[4] = {9, 10, 11, 12};
      int *p = c;
      p[0] = 1;
      *inner = p[1]; //~ ERROR use-after-scope
    }
  }
  int d[4] = {13, 14, 15, 16};
  int *q = d;
  *outer = q[2]; //~ ERROR use-after-scope
  return 0;
}
