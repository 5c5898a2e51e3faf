/* sys/eventfd.h: see unsupported.h. */
#include <sys/eventfd.h>

#include "unsupported.h"

int eventfd(unsigned int count, int flags) {
  (void)count, (void)flags;
  UNSUPPORTED("eventfd", NO_KERNEL);
}

int eventfd_read(int fd, eventfd_t *value) {
  (void)fd, (void)value;
  UNSUPPORTED("eventfd_read", NO_KERNEL);
}

int eventfd_write(int fd, eventfd_t value) {
  (void)fd, (void)value;
  UNSUPPORTED("eventfd_write", NO_KERNEL);
}
