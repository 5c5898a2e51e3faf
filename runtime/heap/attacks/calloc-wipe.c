/*
 * metadata: a chunk whose size was enlarged by an overflow is freed and taken by calloc, which clears the secret
 * of the block behind it: here a key, which is then known to be 0.
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
  void *(*volatile clear)(size_t, size_t) = calloc;
  Word *first = allocate(136), *second = allocate(136), *key = allocate(136);
  allocate(136);
  for (int i = 0; i < 17; i++) key[i] = 0x5ec2e7;
  first[17] = 2 * 144 | 1;
  release((void *)second);
  clear(1, 2 * 144 - 8);
  return key[0] == 0 ? GOAL_REACHED : 0;
}
