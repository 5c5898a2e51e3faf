/* pty.h, and the pseudoterminals of stdlib.h: see unsupported.h. */
#include <pty.h>
#include <stdlib.h>

#include "unsupported.h"

int openpty(int *leader, int *follower, char *name, const struct termios *modes, const struct winsize *size) {
  (void)leader, (void)follower, (void)name, (void)modes, (void)size;
  UNSUPPORTED("openpty", ONE_PROCESS);
}

int forkpty(int *leader, char *name, const struct termios *modes, const struct winsize *size) {
  (void)leader, (void)name, (void)modes, (void)size;
  UNSUPPORTED("forkpty", ONE_PROCESS);
}

int posix_openpt(int flags) {
  (void)flags;
  UNSUPPORTED("posix_openpt", ONE_PROCESS);
}

int grantpt(int leader) {
  (void)leader;
  UNSUPPORTED("grantpt", ONE_PROCESS);
}

int unlockpt(int leader) {
  (void)leader;
  UNSUPPORTED("unlockpt", ONE_PROCESS);
}

char *ptsname(int leader) {
  (void)leader;
  UNSUPPORTED("ptsname", ONE_PROCESS);
}

int ptsname_r(int leader, char *name, size_t n) {
  (void)leader, (void)name, (void)n;
  UNSUPPORTED("ptsname_r", ONE_PROCESS);
}
