/*
 * metadata: the links of a freed block are overwritten by an attacker who does not know the
 * addresses, or does not care: the malloc follows them out of the memory. No value is gained; the
 * program is brought down.
 */
#include "attack.h"

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
