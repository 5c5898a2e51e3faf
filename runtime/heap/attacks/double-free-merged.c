/*
 * metadata: a small block is freed, a large request merges the fast lists, and the block is freed
 * again: it is now in two lists.
 */
#include "attack.h"

int main(void) {
  settle(40);
  void *block = allocate(40);
  allocate(40);
  release(block);
  allocate(4000);
  release(block);
  Word *first = allocate(40), *second = allocate(40);
  return first == second ? GOAL_REACHED : 0;
}
