// engines: check explore
/* The local fits on the stack. */
#include <string.h>

static int value;

static int fill(void) {
  char all[9 << 10];
  memset(all, value, sizeof all);
  return all[value];
}

int main(int argc, char **argv) {
  value = argc;
  return fill() - argc;
}
