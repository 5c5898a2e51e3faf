// engines: check explore
/* The local fits on the stack. */
#include <string.h>

static int fill(int value) {
  char all[9 << 10];
  memset(all, value, sizeof all);
  return all[value];
}

int main(int argc, char **argv) { return fill(argc) - argc; }
