/*
 * metadata: a block that is freed twice in a row is put in its list twice, and two owners get it.
 */
#include "attack.h"

int main(void) {
  settle(200);
  void *block = allocate(200);
  allocate(200);
  release(block);
  release(block);
  Word *first = allocate(200), *second = allocate(200);
  return first == second ? GOAL_REACHED : 0;
}
