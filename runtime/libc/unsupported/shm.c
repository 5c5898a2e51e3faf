/* sys/shm.h: see unsupported.h. */
#include <sys/shm.h>

#include "unsupported.h"

int shmget(key_t key, size_t size, int flags) {
  (void)key, (void)size, (void)flags;
  UNSUPPORTED("shmget", ONE_PROCESS);
}

void *shmat(int id, const void *address, int flags) {
  (void)id, (void)address, (void)flags;
  UNSUPPORTED("shmat", ONE_PROCESS);
}

int shmdt(const void *address) {
  (void)address;
  UNSUPPORTED("shmdt", ONE_PROCESS);
}

int shmctl(int id, int command, struct shmid_ds *buffer) {
  (void)id, (void)command, (void)buffer;
  UNSUPPORTED("shmctl", ONE_PROCESS);
}
