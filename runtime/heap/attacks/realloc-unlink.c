/*
 * metadata: realloc grows a block into the free chunk behind it, whose links were changed after it was freed.
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

static uint64_t payload[8];
static Word *hook;

int main(void) {
  settle(600);
  void *(*volatile resize)(void *, size_t) = realloc;
  Word *block = allocate(200), *next = allocate(600);
  allocate(40);
  release((void *)next);
  next[0] = (uint64_t)(uintptr_t)&hook - 24;
  next[1] = (uint64_t)(uintptr_t)payload;
  resize((void *)block, 700);
  return hook == (Word *)payload ? GOAL_REACHED : 0;
}
