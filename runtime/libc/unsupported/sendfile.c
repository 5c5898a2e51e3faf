/* sys/sendfile.h: see unsupported.h. */
#include <sys/sendfile.h>

#include "unsupported.h"

ssize_t sendfile(int to, int from, off_t *offset, size_t count) {
  (void)to, (void)from, (void)offset, (void)count;
  UNSUPPORTED("sendfile", NO_KERNEL);
}
