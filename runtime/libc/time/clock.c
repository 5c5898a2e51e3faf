/* time, clock, clock_gettime, timespec_get: the host's clocks */
#include <errno.h>
#include <time.h>

#include "clock-state.h"
#include "given.h"
#include "host.h"

#define NANOSECONDS 1000000000L

int clock_gettime(clockid_t clock, struct timespec *result) {
  int which;
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE: which = __HOST_CLOCK_REALTIME; break;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME: which = __HOST_CLOCK_MONOTONIC; break;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID: which = __HOST_CLOCK_CPU; break;
    default: errno = EINVAL; return -1;
  }
  int64_t now = __rz_clock(which);
  *result = (struct timespec){now / NANOSECONDS, now % NANOSECONDS};
  return 0;
}

int clock_getres(clockid_t clock, struct timespec *result) {
  struct timespec now;
  if (clock_gettime(clock, &now) != 0) return -1;
  if (result) *result = (struct timespec){0, 1};
  return 0;
}

int clock_settime(clockid_t clock, const struct timespec *moment) {
  (void)clock;
  __rz_given_object(moment, sizeof *moment);
  errno = EPERM;
  return -1;
}

time_t time(time_t *result) {
  time_t now = __rz_clock(__HOST_CLOCK_REALTIME) / NANOSECONDS;
  if (result) *result = now;
  return now;
}

clock_t clock(void) { return __rz_clock(__HOST_CLOCK_CPU) / (NANOSECONDS / CLOCKS_PER_SEC); }

int timespec_get(struct timespec *result, int base) {
  return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, result) == 0 ? base : 0;
}

int timespec_getres(struct timespec *result, int base) {
  return base == TIME_UTC && clock_getres(CLOCK_REALTIME, result) == 0 ? base : 0;
}
