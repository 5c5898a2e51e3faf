/* Sets of signals. */
#include "signals.h"

#include <errno.h>

#include "engine.h"

static int checked(int signal) {
  if (__rz_signal_is_valid(signal)) return 1;
  errno = EINVAL;
  return 0;
}

int sigemptyset(sigset_t *set) {
  set->__bits = 0;
  return 0;
}

int sigfillset(sigset_t *set) {
  set->__bits = ~0UL;
  return 0;
}

/*
 * POSIX requires sets to be emptied or filled before any other use: an uninitialised set would
 * decide which signals are blocked.
 */
static void read_set(const sigset_t *set) { __rz_range_output(set, sizeof *set); }

int sigaddset(sigset_t *set, int signal) {
  if (!checked(signal)) return -1;
  read_set(set);
  set->__bits |= __rz_signal_bit(signal);
  return 0;
}

int sigdelset(sigset_t *set, int signal) {
  if (!checked(signal)) return -1;
  read_set(set);
  set->__bits &= ~__rz_signal_bit(signal);
  return 0;
}

int sigismember(const sigset_t *set, int signal) {
  if (!checked(signal)) return -1;
  return (set->__bits & __rz_signal_bit(signal)) != 0;
}

int sigisemptyset(const sigset_t *set) { return set->__bits == 0; }

int sigorset(sigset_t *to, const sigset_t *left, const sigset_t *right) {
  read_set(left), read_set(right);
  to->__bits = left->__bits | right->__bits;
  return 0;
}

int sigandset(sigset_t *to, const sigset_t *left, const sigset_t *right) {
  read_set(left), read_set(right);
  to->__bits = left->__bits & right->__bits;
  return 0;
}
