#include <unistd.h>

#include "clock-state.h"
#include "host.h"

unsigned sleep(unsigned seconds) {
  __rz_sleep((int64_t)seconds * 1000000000);
  return 0;
}

int usleep(useconds_t microseconds) {
  __rz_sleep((int64_t)microseconds * 1000);
  return 0;
}
