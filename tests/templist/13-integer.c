// engines: check
// The pointer was an integer for a while. Rule R3 of the paper takes it for a new reference, and misses this one.
#include "../golden/cases.h"

int main(void) {
  int *p = malloc(sizeof *p);
  uintptr_t bits = (uintptr_t)p;
  *p = 1;
  free(p);
  p = malloc(sizeof *p);
  *p = 2;
  BUGGY(, bits = (uintptr_t)p);
  int *q = (int *)bits;
  int result = *q; //~ ERROR use-after-free
  free(p);
  return result < 0;
}
