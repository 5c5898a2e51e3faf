/* quick_exit runs its own handlers only */
#include <stdio.h>
#include <stdlib.h>

static void ordinary(void) { printf("never\n"); }
static void quick(void) {
  printf("quick\n");
  fflush(stdout);
}

int main(void) {
  atexit(ordinary);
  at_quick_exit(quick);
  quick_exit(5);
}
