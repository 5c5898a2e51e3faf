/* A program with 1 MiB of memory whose paths double at each of 17 bytes of input; each path changes one block after each fork. */
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 1024

static char *blocks[BLOCKS];

int main(void) {
  char input[17];
  klee_make_symbolic(input, sizeof input, "input");
  for (int i = 0; i < BLOCKS; i++) {
    blocks[i] = malloc(1024);
    if (blocks[i] == NULL) return 1;
    memset(blocks[i], i, 1024);
  }
  for (int i = 0; i < (int)sizeof input; i++) {
    if (input[i] > 'm') blocks[i][i] = 1;
    else blocks[i][i] = 2;
  }
  return 0;
}
