// engines: check
// realloc gives a new block: pointers to the old one, and into it, are stale although the address may be the same.
#include "../golden/cases.h"

int main(void) {
  int *a = calloc(8, sizeof *a);
  int *start = a, *middle = a + 4;
  a = realloc(a, 9 * sizeof *a);
  int *b = calloc(8, sizeof *b);
  BUGGY(, start = a);
  BUGGY(, middle = a + 4);
  *start = 1;       //~ ERROR use-after-free
  int x = *middle;  //~ ERROR use-after-free
  free(a);
  free(b);
  return x;
}
