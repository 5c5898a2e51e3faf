#include <klee/klee.h>

static int get_sign(int x) {
  if (x == 0) return 0;
  return x < 0 ? -1 : 1;
}

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  switch (get_sign(x)) {
    case 0: return 10;
    case 1: return 11;
    default: return 12;
  }
}
