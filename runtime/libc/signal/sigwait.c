/*
 * Waiting for a signal: it is pending already, or it will never come, because there is no other
 * process to send it.
 */
#include "engine.h"
#include "signals.h"

#include <errno.h>
#include <unistd.h>

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
  const int signal = take(set, info);
  if (signal == 0) __rz_abort("abort", "deadlock: the program waits for a signal that no process can send");
  return signal;
}

int sigwait(const sigset_t *restrict set, int *restrict signal) {
  *signal = sigwaitinfo(set, 0);
  return 0;
}

int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict timeout) {
  (void)timeout;
  const int signal = take(set, info);
  if (signal != 0) return signal;
  errno = EAGAIN;
  return -1;
}

int sigsuspend(const sigset_t *mask) {
  if ((__rz_signals.pending & ~mask->__bits) == 0) {
    __rz_abort("abort", "deadlock: the program waits for a signal that no process can send");
  }
  const sigset_t before = {__rz_signals.blocked};
  sigprocmask(SIG_SETMASK, mask, 0);
  sigprocmask(SIG_SETMASK, &before, 0);
  errno = EINTR;
  return -1;
}

int pause(void) {
  const sigset_t mask = {__rz_signals.blocked};
  return sigsuspend(&mask);
}
