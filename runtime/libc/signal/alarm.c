/* Timers that signal: nothing runs beside the program, so none can be set. */
#include <errno.h>
#include <sys/time.h>
#include <unistd.h>

#include "given.h"

unsigned alarm(unsigned seconds) {
  if (seconds != 0) errno = ENOSYS;
  return 0;
}

unsigned ualarm(unsigned first, unsigned interval) {
  (void)interval;
  return alarm(first);
}

int setitimer(int which, const struct itimerval *restrict new, struct itimerval *restrict old) {
  (void)which, (void)old;
  __rz_given_object(new, sizeof *new);
  errno = ENOSYS;
  return -1;
}

int getitimer(int which, struct itimerval *value) {
  (void)which;
  *value = (struct itimerval){0};
  return 0;
}
