/*
 * metadata: the links of a freed block are overwritten by somebody who does not know the addresses, or does not
 * care: the malloc follows them out of the memory. No value is gained; the program is brought down.
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
  settle(600);
  Word *block = allocate(600);
  allocate(600);
  release((void *)block);
  block[0] = 0x4141414141414141u; /* fd */
  block[1] = 0x4141414141414141u; /* bk */
  Word *again = allocate(600);
  return (uintptr_t)again == 0x4141414141414151u ? GOAL_REACHED : 0;
}
