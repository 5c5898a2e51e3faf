/*
 * metadata: a small block is freed, a large request merges the fast lists, and the block is freed again: it is now
 * in two lists.
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
  settle(40);
  void *block = allocate(40);
  allocate(40);
  release(block);
  allocate(4000);
  release(block);
  Word *first = allocate(40), *second = allocate(40);
  return first == second ? GOAL_REACHED : 0;
}
