/* timerfd: a descriptor that can be read when its time has come. Waits end then (`ready.c`). */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>

#include "fd.h"
#include "result.h"

#define SECOND 1000000000L
#define NEVER (1L << 62)

struct timer {
  struct timer *next;
  clockid_t clock;
  long due; /* nanoseconds of its clock; 0 if it is not set */
  long interval;
};

static struct timer *timers;

static long now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * SECOND + time.tv_nsec;
}

static long until_next(void) {
  long least = NEVER;
  for (const struct timer *timer = timers; timer; timer = timer->next) {
    if (timer->due == 0) continue;
    const long left = timer->due - now(timer->clock);
    if (left < least) least = left > 0 ? left : 1;
  }
  return least;
}

static uint64_t expirations(const struct timer *timer) {
  const long late = timer->due == 0 ? -1 : now(timer->clock) - timer->due;
  if (late < 0) return 0;
  return timer->interval > 0 ? 1 + (uint64_t)(late / timer->interval) : 1;
}

static ssize_t read_timer(struct __rz_open_file *file, void *to, size_t n) {
  struct timer *timer = file->data;
  if (n < sizeof(uint64_t)) return __rz_error(EINVAL);
  uint64_t count = expirations(timer);
  while (count == 0) {
    if (file->flags & O_NONBLOCK) return __rz_error(EAGAIN);
    __rz_wait_for_files(SECOND);
    count = expirations(timer);
  }
  timer->due = timer->interval > 0 ? timer->due + (long)count * timer->interval : 0;
  memcpy(to, &count, sizeof count);
  return sizeof count;
}

static void release(struct __rz_open_file *file) {
  struct timer **at = &timers;
  while (*at != file->data) at = &(*at)->next;
  *at = (*at)->next;
  free(file->data);
}

static int is_ready(struct __rz_open_file *file) { return expirations(file->data) ? POLLIN : 0; }

static const struct __rz_open_file_functions functions = {read_timer, NULL, 0, release, is_ready};

int timerfd_create(clockid_t clock, int flags) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return __rz_error(EINVAL);
  if (flags & ~(TFD_CLOEXEC | TFD_NONBLOCK)) return __rz_error(EINVAL);
  struct timer *timer = malloc(sizeof *timer);
  struct __rz_open_file *file = timer ? __rz_new_open_file(-1, O_RDONLY | (flags & TFD_NONBLOCK)) : NULL;
  if (!file) {
    free(timer);
    return -1;
  }
  *timer = (struct timer){.next = timers, .clock = clock};
  timers = timer;
  __rz_until_timer = until_next;
  file->functions = &functions;
  file->data = timer;
  return __rz_fd_install(file, 0, (flags & TFD_CLOEXEC) != 0);
}

static struct timer *timer_of(int fd) {
  struct __rz_open_file *file = __rz_fd_file(fd);
  if (!file) return NULL;
  if (file->functions == &functions) return file->data;
  errno = EINVAL;
  return NULL;
}

static struct timespec time_of(long nanoseconds) { return (struct timespec){nanoseconds / SECOND, nanoseconds % SECOND}; }

static void describe(const struct timer *timer, struct itimerspec *value) {
  const long left = timer->due == 0 ? 0 : timer->due - now(timer->clock);
  *value = (struct itimerspec){time_of(timer->interval), time_of(timer->due != 0 && left <= 0 ? 1 : left)};
}

int timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *old) {
  struct timer *timer = timer_of(fd);
  if (!timer) return -1;
  const struct timespec first = value->it_value, interval = value->it_interval;
  if (first.tv_nsec < 0 || first.tv_nsec >= SECOND || interval.tv_nsec < 0 || interval.tv_nsec >= SECOND)
    return __rz_error(EINVAL);
  if (old) describe(timer, old);
  timer->due = first.tv_sec * SECOND + first.tv_nsec;
  if (timer->due != 0 && !(flags & TFD_TIMER_ABSTIME)) timer->due += now(timer->clock);
  timer->interval = interval.tv_sec * SECOND + interval.tv_nsec;
  return 0;
}

int timerfd_gettime(int fd, struct itimerspec *value) {
  const struct timer *timer = timer_of(fd);
  if (!timer) return -1;
  describe(timer, value);
  return 0;
}
