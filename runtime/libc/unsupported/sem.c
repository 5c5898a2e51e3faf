/* sys/sem.h: see unsupported.h. */
#include <sys/sem.h>

#include "unsupported.h"

int semget(key_t key, int count, int flags) {
  (void)key, (void)count, (void)flags;
  UNSUPPORTED("semget", ONE_PROCESS);
}

int semop(int id, struct sembuf *operations, size_t count) {
  (void)id, (void)operations, (void)count;
  UNSUPPORTED("semop", ONE_PROCESS);
}

int semctl(int id, int number, int command, ...) {
  (void)id, (void)number, (void)command;
  UNSUPPORTED("semctl", ONE_PROCESS);
}
