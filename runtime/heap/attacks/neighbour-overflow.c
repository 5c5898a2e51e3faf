/*
 * data: an overflow into the next block changes the data there. No metadata need be involved; what stands between
 * the blocks, if anything, does not stop it, but where the next block lies may.
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
  settle(24);
  volatile char *name = allocate(24);
  Word *is_admin = allocate(24);
  *is_admin = 0;
  for (int i = 0; i < 48; i++) name[i] = 1;
  return *is_admin != 0 ? GOAL_REACHED : 0;
}
