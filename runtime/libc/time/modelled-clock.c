#include "clock-state.h"

#include "host.h"
#include "timers.h"

#define CLOCKS 3
/* Each reading of a modelled clock advances it by this many nanoseconds. */
#define LOOK 1000

int __rz_time_is_modelled;
void (*__rz_sleep_as_thread)(int64_t deadline);

static int64_t modelled;
static int64_t begun[CLOCKS];

int64_t __rz_modelled_time(void) { return modelled; }

void __rz_advance_clock(int64_t until) {
  if (!__rz_time_is_modelled) {
    if (until > 0) __host_sleep(until);
  } else if (until > modelled) {
    modelled = until;
  }
}

const struct __rz_timer_functions *__rz_timers;

int64_t __rz_sleep(int64_t nanoseconds) {
  if (nanoseconds > 0 && __rz_timers) return __rz_timers->sleep(nanoseconds);
  __rz_sleep_without_timers(nanoseconds);
  return 0;
}

void __rz_sleep_without_timers(int64_t nanoseconds) {
  const int64_t most = INT64_MAX / 2;
  if (nanoseconds <= 0) return;
  if (!__rz_sleep_as_thread) __host_sleep(nanoseconds);
  else __rz_sleep_as_thread(modelled + (nanoseconds < most ? nanoseconds : most));
}

int64_t __rz_clock(int which) {
  __rz_send_of_timers();
  return __rz_clock_of_timers(which);
}

int64_t __rz_clock_of_timers(int which) {
  if (!__rz_time_is_modelled) return __host_clock(which);
  if (begun[which] == 0) begun[which] = __host_clock(which) - modelled;
  modelled += LOOK;
  return begun[which] + modelled;
}
