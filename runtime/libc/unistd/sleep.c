#include <errno.h>
#include <unistd.h>

#include "clock-state.h"
#include "host.h"

unsigned sleep(unsigned seconds) {
  const int64_t second = 1000000000, left = __rz_sleep(seconds * second);
  return (unsigned)((left + second - 1) / second);
}

int usleep(useconds_t microseconds) {
  if (__rz_sleep((int64_t)microseconds * 1000) == 0) return 0;
  errno = EINTR;
  return -1;
}
