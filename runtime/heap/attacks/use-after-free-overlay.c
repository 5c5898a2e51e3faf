/*
 * data: a freed object is used again after the attacker has got a block at the same place. No
 * metadata are involved, so keeping them apart does not help: only a malloc that does not give the
 * same place to the next owner does.
 */
#include "attack.h"

struct session {
  uint64_t user;
  uint64_t is_admin;
};

int main(void) {
  settle(16);
  volatile struct session *session = allocate(sizeof *session);
  session->is_admin = 0;
  release((void *)session);
  volatile struct session *attackers = allocate(sizeof *attackers);
  attackers->is_admin = 1;
  return session->is_admin == 1 ? GOAL_REACHED : 0;
}
