/* closefrom and close_range. */
#include <errno.h>
#include <unistd.h>

#include "fd.h"
#include "result.h"

/* No flags: a table of descriptors is not shared, and nothing is executed. */
int close_range(unsigned int first, unsigned int last, int flags) {
  if (first > last || flags != 0) return __rz_error(EINVAL);
  for (unsigned int fd = first; fd <= last && fd < FD_MAX; fd++)
    if (__rz_descriptors[fd].file) close((int)fd);
  return 0;
}

void closefrom(int first) { close_range(first < 0 ? 0 : (unsigned)first, FD_MAX, 0); }
