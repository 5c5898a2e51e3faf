// engines: check explore
#include <stdlib.h>

int main(void) {
  char *a = calloc(64, 1);
  char *b = calloc(64, 1);
  if (!a || !b) return 1;
  a[63] = 1;
  b[0] = 1;
  free(a);
  free(b);
  return 0;
}
