/*
 * Waiting for a signal: it is pending already, or a timer sends it, or it will never come, because
 * there is no other process to send it.
 */
#include "engine.h"
#include "signals.h"
#include "timers.h"

#include <errno.h>
#include <unistd.h>

static void wait_for_timer(void) {
  if (__rz_timers && __rz_timers->wait()) return;
  __rz_abort("abort", "deadlock: the program waits for a signal that no process can send");
}

/* Takes the lowest pending signal of the set, or returns 0. */
static int take(const sigset_t *set, siginfo_t *info) {
  const unsigned long ready = __rz_signals.pending & set->__bits;
  if (ready == 0) return 0;
  const int signal = __builtin_ctzl(ready) + 1;
  __rz_signals.pending &= ~__rz_signal_bit(signal);
  if (info) *info = __rz_signals.pending_info[signal];
  return signal;
}

int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info) {
  __rz_send_of_timers();
  for (;;) {
    const int signal = take(set, info);
    if (signal != 0) return signal;
    wait_for_timer();
  }
}

int sigwait(const sigset_t *restrict set, int *restrict signal) {
  *signal = sigwaitinfo(set, 0);
  return 0;
}

int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict timeout) {
  __rz_send_of_timers();
  int signal = take(set, info);
  if (signal != 0) return signal;
  if (__rz_timers && timeout) __rz_timers->sleep(timeout->tv_sec * 1000000000L + timeout->tv_nsec);
  signal = take(set, info);
  if (signal != 0) return signal;
  errno = EAGAIN;
  return -1;
}

int sigsuspend(const sigset_t *mask) {
  const sigset_t before = {__rz_signals.blocked};
  const unsigned long handled = __rz_signals.handled;
  sigprocmask(SIG_SETMASK, mask, 0);
  while (__rz_signals.handled == handled) wait_for_timer();
  sigprocmask(SIG_SETMASK, &before, 0);
  errno = EINTR;
  return -1;
}

int pause(void) {
  const sigset_t mask = {__rz_signals.blocked};
  return sigsuspend(&mask);
}
