// engines: check explore
#include <stdio.h>

static volatile int zero;

static int priority(int level) {
  if (level > 3) return 1;
}

int main(void) {
  priority(zero);
  printf("%d\n", priority(zero + 4));
  return 0;
}
