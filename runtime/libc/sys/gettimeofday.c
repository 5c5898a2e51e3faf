#include <sys/time.h>

#include "clock-state.h"
#include "given.h"
#include "host.h"
#include "result.h"

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int64_t nanoseconds = __rz_clock(__HOST_CLOCK_REALTIME);
  if (now) {
    now->tv_sec = nanoseconds / 1000000000;
    now->tv_usec = nanoseconds % 1000000000 / 1000;
  }
  if (zone) *(struct timezone *)zone = (struct timezone){0, 0};
  return 0;
}

int settimeofday(const struct timeval *now, const struct timezone *zone) {
  if (now) __rz_given_object(now, sizeof *now);
  if (zone) __rz_given_object(zone, sizeof *zone);
  return __rz_error(EPERM);
}
