/* Locks on whole files, which a single process always gets. */
#include <sys/file.h>
#include <unistd.h>

#include "fd.h"
#include "result.h"

int flock(int fd, int operation) {
  int kind = operation & ~LOCK_NB;
  if (!__rz_fd_file(fd)) return -1;
  return kind == LOCK_SH || kind == LOCK_EX || kind == LOCK_UN ? 0 : __rz_error(EINVAL);
}

int lockf(int fd, int command, off_t size) {
  (void)size;
  if (!__rz_fd_file(fd)) return -1;
  return command >= F_ULOCK && command <= F_TEST ? 0 : __rz_error(EINVAL);
}
