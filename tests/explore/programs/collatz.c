/* Forks without end. */
#include <klee/klee.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  for (int steps = 0; n != 1 && n != 0; steps++)
    if (n & 1)
      n = 3 * n + 1;
    else
      n /= 2;
  return 0;
}
