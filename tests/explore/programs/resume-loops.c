/* Between its forks it runs longer than a turn, in loops and in calls without one. */
#include <klee/klee.h>

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(void) {
  unsigned char c[3];
  klee_make_symbolic(c, sizeof c, "c");
  unsigned h = fib(16);
  for (int i = 0; i < 3; i++) {
    if (c[i] > 9)
      for (unsigned j = 0; j < 150000u * (i + 1); j++) h = h * 31 + j;
    else
      h += fib(18 + i);
  }
  return c[0] == 7 ? 10 / (h - h) : h & 1;
}
