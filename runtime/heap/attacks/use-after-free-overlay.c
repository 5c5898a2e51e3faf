/*
 * data: a freed object is used again after the attacker has got a block at the same place. No metadata are
 * involved, so keeping them apart does not help: only a malloc that does not give the same place to the next owner
 * does.
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
