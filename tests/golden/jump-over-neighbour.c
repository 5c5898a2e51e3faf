// engines: check explore
// The access lands inside another valid block, far beyond any redzone.
#include <stddef.h>
#include <stdlib.h>

int main(void) {
  char *a = calloc(64, 1);
  char *b = calloc(64, 1);
  if (!a || !b) return 1;
  ptrdiff_t distance = b - a;
  a[distance] = 1; //~ ERROR heap-buffer-overflow
  free(a);
  free(b);
  return 0;
}
