#include <string.h>
#include <unistd.h>

#include "fd.h"
#include "result.h"

static char name[] = "/dev/tty";

char *ttyname(int fd) { return isatty(fd) ? name : NULL; }

int ttyname_r(int fd, char *buffer, size_t size) {
  if (!isatty(fd)) return errno;
  if (size < sizeof name) return ERANGE;
  memcpy(buffer, name, sizeof name);
  return 0;
}

pid_t tcgetpgrp(int fd) { return isatty(fd) ? getpgrp() : -1; }

int tcsetpgrp(int fd, pid_t group) {
  if (!isatty(fd)) return -1;
  return group == getpgrp() ? 0 : __rz_error(EPERM);
}
