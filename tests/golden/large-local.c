// engines: check explore
/* One local is larger than the stack: the error is at its declaration, and no recursion is suspected. */
#include <string.h>

static int value;

static int fill(void) {
  char all[9 << 20]; //~ ERROR stack-exhausted
  memset(all, value, sizeof all);
  return all[value];
}

int main(int argc, char **argv) {
  value = argc;
  return fill() - argc;
}
