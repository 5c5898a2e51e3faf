/* nanosleep, clock_nanosleep: only a timer of the program interrupts them. */
#include <errno.h>
#include <time.h>

#include "clock-state.h"
#include "host.h"

#define NANOSECONDS 1000000000L

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration, struct timespec *remaining) {
  struct timespec now = {0, 0};
  if (duration->tv_nsec < 0 || duration->tv_nsec >= NANOSECONDS || duration->tv_sec < 0) return EINVAL;
  if (flags & TIMER_ABSTIME) {
    if (clock_gettime(clock, &now) != 0) return EINVAL;
  } else if (remaining) {
    *remaining = now;
  }
  long seconds = duration->tv_sec - now.tv_sec, limit = INT64_MAX / NANOSECONDS - 1;
  if (seconds > limit) seconds = limit;
  long nanoseconds = seconds * NANOSECONDS + (duration->tv_nsec - now.tv_nsec);
  const int64_t left = nanoseconds > 0 ? __rz_sleep(nanoseconds) : 0;
  if (left == 0) return 0;
  if (remaining && !(flags & TIMER_ABSTIME)) *remaining = (struct timespec){left / NANOSECONDS, left % NANOSECONDS};
  return EINTR;
}

int nanosleep(const struct timespec *duration, struct timespec *remaining) {
  int error = clock_nanosleep(CLOCK_REALTIME, 0, duration, remaining);
  if (error == 0) return 0;
  errno = error;
  return -1;
}
