// engines: check
// A freed block's address is given out again at once.
#include "../golden/cases.h"

int main(void) {
  int *p = malloc(sizeof *p);
  int *alias = p;
  *p = 1;
  free(p);
  p = malloc(sizeof *p);
  *p = 2;
  *BUGGY(alias, p) = 3; //~ ERROR use-after-free
  int result = *p;
  free(p);
  return result < 2;
}
