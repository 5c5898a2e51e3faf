/* stale: a block is read after it was freed and `n` blocks of its size were taken and given back. */
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int n = klee_range(0, 24, "n");
  char *stale = malloc(8);
  stale[0] = 1;
  free(stale);
  for (int i = 0; i < n; i++) free(malloc(8));
  char *owner = malloc(8);
  owner[0] = 2;
  return stale[0];
}
