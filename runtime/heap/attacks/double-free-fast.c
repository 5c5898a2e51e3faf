/*
 * metadata: the same with another free in between, which is all that it takes to pass the check of the list's
 * first entry.
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
  void *other = allocate(40);
  allocate(40);
  release(block);
  release(other);
  release(block);
  Word *first = allocate(40), *second = allocate(40), *third = allocate(40);
  return first == second || first == third || second == third ? GOAL_REACHED : 0;
}
