/* sys/msg.h: see unsupported.h. */
#include <sys/msg.h>

#include "unsupported.h"

int msgget(key_t key, int flags) {
  (void)key, (void)flags;
  UNSUPPORTED("msgget", ONE_PROCESS);
}

int msgsnd(int id, const void *message, size_t size, int flags) {
  (void)id, (void)message, (void)size, (void)flags;
  UNSUPPORTED("msgsnd", ONE_PROCESS);
}

ssize_t msgrcv(int id, void *message, size_t size, long type, int flags) {
  (void)id, (void)message, (void)size, (void)type, (void)flags;
  UNSUPPORTED("msgrcv", ONE_PROCESS);
}

int msgctl(int id, int command, struct msqid_ds *buffer) {
  (void)id, (void)command, (void)buffer;
  UNSUPPORTED("msgctl", ONE_PROCESS);
}
