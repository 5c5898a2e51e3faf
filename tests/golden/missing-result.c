// engines: check explore
// A function that may end without a `return`. That is an error only if the caller uses the value.
#include <stdio.h>

static volatile int zero;

static int priority(int level) {
  if (level > 3) return 1;
} //~ ERROR uninitialized-read

int main(void) {
  priority(zero);
  printf("%d\n", priority(zero + 4) + priority(zero));
  return 0;
}
