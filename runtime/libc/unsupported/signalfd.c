/* sys/signalfd.h: see unsupported.h. */
#include <sys/signalfd.h>

#include "unsupported.h"

int signalfd(int fd, const sigset_t *mask, int flags) {
  (void)fd, (void)mask, (void)flags;
  UNSUPPORTED("signalfd", NO_KERNEL);
}
