/*
 * The lower half of an address that an input chooses, as in Figure 7 of the paper: a table of
 * blocks, and a hash of the address of one of them.
 */
#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  uintptr_t blocks[8];
  unsigned char chosen[4];
  uint32_t key, hash = 0;
  for (int i = 0; i < 8; i++) {
    char *block = malloc(24);
    if (!block) return 2;
    blocks[i] = (uintptr_t)block;
  }
  klee_make_symbolic(chosen, sizeof chosen, "chosen");
  klee_make_symbolic(&key, sizeof key, "key");
  int equal = 0;
  for (int i = 0; i < 4; i++) {
    hash = ((hash << 3) + (uint32_t)blocks[chosen[i] & 7]) ^ key;
    if ((hash & 0xfff) == (unsigned)i * 16) equal++;
  }
  for (int i = 0; i < 8; i++) free((void *)blocks[i]);
  return equal;
}
