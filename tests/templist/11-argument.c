// engines: check
// The pointer becomes stale on the way: the callee frees what its caller then passes on (rule R6).
#include "../golden/cases.h"

static int *current;

static void renew(int value) {
  free(current);
  current = malloc(sizeof *current);
  *current = value;
}

static int read_later(const int *p, int value) {
  renew(value);
  return *BUGGY(p, current); //~ ERROR use-after-free
}

int main(void) {
  renew(1);
  int result = read_later(current, 2);
  free(current);
  return result < 0;
}
