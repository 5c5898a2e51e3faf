// engines: check
// The paper's first listing: a local of a scope that has ended, and another that may lie in its place.
#include "../golden/cases.h"

int main(void) {
  int *p, k = 0;
  {
    int i = 9;
    p = BUGGY(&i, &k);
    *p = i;
  }
  int j = 8, *q = &j;
  *p = 1; //~ ERROR use-after-scope
  return *q - 8;
}
