// engines: check
// More allocations than any quarantine holds lie between the free and the use.
#include "../golden/cases.h"

int main(void) {
  int *q = malloc(sizeof *q), *p = q, *second = NULL;
  *q = 0;
  for (int i = 1; i <= 20000; i++) {
    free(q);
    q = malloc(sizeof *q);
    *q = i;
    if (i == 10000) second = q;
  }
  *BUGGY(p, q) = 1;              //~ ERROR use-after-free
  int value = *BUGGY(second, q); //~ ERROR use-after-free
  free(q);
  return value < 0;
}
