/*
 * data: an overflow into the next block changes the data there. No metadata need be involved; what
 * stands between the blocks, if anything, does not stop it, but where the next block lies may.
 */
#include "attack.h"

int main(void) {
  settle(24);
  volatile char *name = allocate(24);
  Word *is_admin = allocate(24);
  *is_admin = 0;
  for (int i = 0; i < 48; i++) name[i] = 1;
  return *is_admin != 0 ? GOAL_REACHED : 0;
}
