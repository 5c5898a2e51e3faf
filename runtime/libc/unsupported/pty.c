/* pty.h: see unsupported.h. */
#include <pty.h>

#include "unsupported.h"

int openpty(int *leader, int *follower, char *name, const struct termios *modes, const struct winsize *size) {
  (void)leader, (void)follower, (void)name, (void)modes, (void)size;
  UNSUPPORTED("openpty", ONE_PROCESS);
}

int forkpty(int *leader, char *name, const struct termios *modes, const struct winsize *size) {
  (void)leader, (void)name, (void)modes, (void)size;
  UNSUPPORTED("forkpty", ONE_PROCESS);
}
