/* Whatever makes a path ask for values: symbolic sizes, indices, calls, text, products. */
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int x, y, table[4] = {1, 2, 3, 4};
  int (*calls[2])(const char *) = {puts, puts};
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  char *p = malloc(16);
  if ((x & 255) * (y & 15) == 77) puts("product");
  if (x > 3 && x < 9) {
    p[x] = y;
    printf("%d %d\n", x, y);
  }
  switch (y) {
  case 1: x++; break;
  case 5: case 9: x += 2; break;
  case 100: abort();
  default: break;
  }
  if (x >= 0 && x < 6) y = table[x];
  char *q = malloc(x & 15);
  if (!q) return 1;
  q[0] = 1;
  free(q);
  if (y > 2) free(p);
  calls[x & 1]("called");
  return 0;
}
