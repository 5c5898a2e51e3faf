/*
 * metadata: the same with another free in between, which is all that it takes to pass the check of
 * the list's first entry.
 */
#include "attack.h"

int main(void) {
  settle(40);
  void *block = allocate(40);
  allocate(40);
  void *other = allocate(40);
  allocate(40);
  release(block);
  release(other);
  release(block);
  Word *first = allocate(40), *second = allocate(40), *third = allocate(40);
  return first == second || first == third || second == third ? GOAL_REACHED : 0;
}
