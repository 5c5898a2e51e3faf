/* sys/timerfd.h: see unsupported.h. */
#include <sys/timerfd.h>

#include "unsupported.h"

int timerfd_create(int clock, int flags) {
  (void)clock, (void)flags;
  UNSUPPORTED("timerfd_create", NO_KERNEL);
}

int timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *old) {
  (void)fd, (void)flags, (void)value, (void)old;
  UNSUPPORTED("timerfd_settime", NO_KERNEL);
}

int timerfd_gettime(int fd, struct itimerspec *value) {
  (void)fd, (void)value;
  UNSUPPORTED("timerfd_gettime", NO_KERNEL);
}
