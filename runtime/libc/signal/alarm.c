/* alarm, setitimer, timer_create: timers.h says when their signals arrive. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "clock-state.h"
#include "given.h"
#include "host.h"
#include "signals.h"
#include "timers.h"

#define SECOND 1000000000L

struct timer {
  int64_t deadline; /* of the monotonic clock; 0 if it is not set */
  int64_t interval; /* 0 if it expires once */
  int signal;       /* 0 if it sends none */
  int code, number, overrun, clock;
  union sigval value;
  struct timer *next;
};

static struct timer of_alarm = {.signal = SIGALRM, .code = SI_KERNEL};
static struct timer *first = &of_alarm;

static int64_t now(void) { return __rz_clock_of_timers(__HOST_CLOCK_MONOTONIC); }

static struct timer *earliest(void) {
  struct timer *found = 0;
  for (struct timer *each = first; each; each = each->next)
    if (each->deadline != 0 && (!found || each->deadline < found->deadline)) found = each;
  return found;
}

static void expire(struct timer *timer, int64_t moment) {
  timer->overrun = 0;
  if (timer->interval == 0) {
    timer->deadline = 0;
  } else {
    const int64_t missed = (moment - timer->deadline) / timer->interval;
    timer->overrun = (int)missed;
    timer->deadline += (missed + 1) * timer->interval;
  }
  if (timer->signal == 0) return;
  const siginfo_t info = {
      .si_signo = timer->signal, .si_code = timer->code, .si_timerid = timer->number, .si_value = timer->value};
  __rz_signal_send(&info);
}

/* A handler may set and delete timers, so the list is read anew for each. */
static void send(void) {
  const int64_t moment = now();
  for (struct timer *due = earliest(); due && due->deadline <= moment; due = earliest()) expire(due, moment);
}

static void sleep_until(int64_t deadline) { __rz_sleep_without_timers(deadline - now()); }

static int64_t sleep_with_timers(int64_t nanoseconds) {
  const int64_t begun = now(), end = nanoseconds < INT64_MAX - begun ? begun + nanoseconds : INT64_MAX;
  const unsigned long handled = __rz_signals.handled;
  for (;;) {
    send();
    const int64_t left = end - now();
    if (left <= 0) return 0;
    if (__rz_signals.handled != handled) return left;
    const struct timer *due = earliest();
    sleep_until(due && due->deadline < end ? due->deadline : end);
  }
}

static int wait_for_timer(void) {
  const struct timer *due = earliest();
  if (!due) return 0;
  sleep_until(due->deadline);
  send();
  return 1;
}

static const struct __rz_timer_functions functions = {send, sleep_with_timers, wait_for_timer};

/* `begin` counts from now, `interval` from one expiry to the next. */
static void set(struct timer *timer, int64_t begin, int64_t interval) {
  __rz_timers = &functions;
  timer->deadline = begin > 0 ? now() + begin : 0;
  timer->interval = interval;
}

static int64_t left_of(const struct timer *timer) {
  if (timer->deadline == 0) return 0;
  const int64_t left = timer->deadline - now();
  return left > 0 ? left : 1;
}

static int64_t of_timeval(struct timeval value) { return value.tv_sec * SECOND + value.tv_usec * 1000; }
static struct timeval as_timeval(int64_t time) { return (struct timeval){time / SECOND, time % SECOND / 1000}; }
static int64_t of_timespec(struct timespec value) { return value.tv_sec * SECOND + value.tv_nsec; }
static struct timespec as_timespec(int64_t time) { return (struct timespec){time / SECOND, time % SECOND}; }

static int invalid(void) {
  errno = EINVAL;
  return -1;
}

unsigned alarm(unsigned seconds) {
  const int64_t left = left_of(&of_alarm);
  set(&of_alarm, seconds * SECOND, 0);
  return (unsigned)(left < SECOND / 2 && left > 0 ? 1 : (left + SECOND / 2) / SECOND);
}

unsigned ualarm(unsigned first_time, unsigned interval) {
  const int64_t left = left_of(&of_alarm);
  set(&of_alarm, first_time * 1000L, interval * 1000L);
  return (unsigned)(left / 1000);
}

static void read_alarm(struct itimerval *value) {
  *value = (struct itimerval){as_timeval(of_alarm.interval), as_timeval(left_of(&of_alarm))};
}

/* The time that the program computes is not interrupted. */
static int measures_computing(int which) {
  if (which == ITIMER_REAL) return 0;
  errno = which == ITIMER_VIRTUAL || which == ITIMER_PROF ? ENOSYS : EINVAL;
  return 1;
}

int setitimer(int which, const struct itimerval *restrict new, struct itimerval *restrict old) {
  __rz_given_object(new, sizeof *new);
  if (measures_computing(which)) return -1;
  if (new && (new->it_value.tv_usec < 0 || new->it_value.tv_usec >= 1000000)) return invalid();
  if (old) read_alarm(old);
  if (new) set(&of_alarm, of_timeval(new->it_value), of_timeval(new->it_interval));
  return 0;
}

int getitimer(int which, struct itimerval *value) {
  if (which == ITIMER_REAL) read_alarm(value);
  else if (measures_computing(which) && errno == EINVAL) return -1;
  else *value = (struct itimerval){0};
  return 0;
}

int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer) {
  static int created;
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC && clock != CLOCK_BOOTTIME) return invalid();
  if (event && event->sigev_notify != SIGEV_NONE &&
      (event->sigev_notify != SIGEV_SIGNAL || !__rz_signal_is_valid(event->sigev_signo)))
    return invalid();
  struct timer *made = malloc(sizeof *made);
  if (!made) return -1;
  *made = (struct timer){.signal = SIGALRM, .code = SI_TIMER, .number = created++, .clock = clock, .next = first};
  made->value.sival_int = made->number;
  if (event) {
    made->signal = event->sigev_notify == SIGEV_NONE ? 0 : event->sigev_signo;
    made->value = event->sigev_value;
  }
  first = made;
  *timer = made;
  return 0;
}

int timer_delete(timer_t timer) {
  for (struct timer **each = &first; *each; each = &(*each)->next) {
    if (*each != timer) continue;
    *each = (*each)->next;
    free(timer);
    return 0;
  }
  return invalid();
}

static int is_set_up(timer_t timer) {
  for (const struct timer *each = first; each != &of_alarm; each = each->next)
    if (each == timer) return 1;
  errno = EINVAL;
  return 0;
}

int timer_gettime(timer_t timer, struct itimerspec *value) {
  if (!is_set_up(timer)) return -1;
  const struct timer *asked = timer;
  *value = (struct itimerspec){as_timespec(asked->interval), as_timespec(left_of(asked))};
  return 0;
}

int timer_settime(timer_t timer, int flags, const struct itimerspec *restrict new, struct itimerspec *restrict old) {
  __rz_given_object(new, sizeof *new);
  if (!is_set_up(timer)) return -1;
  struct timer *chosen = timer;
  if (new->it_value.tv_nsec < 0 || new->it_value.tv_nsec >= SECOND) return invalid();
  if (old) timer_gettime(timer, old);
  int64_t begin = of_timespec(new->it_value);
  if (begin != 0 && flags & TIMER_ABSTIME) {
    const int which = chosen->clock == CLOCK_REALTIME ? __HOST_CLOCK_REALTIME : __HOST_CLOCK_MONOTONIC;
    begin -= __rz_clock_of_timers(which);
    if (begin <= 0) begin = 1;
  }
  set(chosen, begin, of_timespec(new->it_interval));
  return 0;
}

int timer_getoverrun(timer_t timer) { return is_set_up(timer) ? ((struct timer *)timer)->overrun : -1; }
