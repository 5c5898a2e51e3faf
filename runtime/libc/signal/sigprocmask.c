/* Which signals are held back. */
#include "signals.h"

#include "engine.h"
#include "fd.h"

#include <errno.h>

static int change_mask(int how, const sigset_t *set, sigset_t *old) {
  const unsigned long before = __rz_signals.blocked;
  if (set) {
    __rz_range_output(set, sizeof *set);
    unsigned long blocked;
    switch (how) {
      case SIG_BLOCK: blocked = before | set->__bits; break;
      case SIG_UNBLOCK: blocked = before & ~set->__bits; break;
      case SIG_SETMASK: blocked = set->__bits; break;
      default: return EINVAL;
    }
    __rz_on_broken_pipe = __rz_signal_broken_pipe;
    __rz_signals.blocked = blocked & ~(__rz_signal_bit(SIGKILL) | __rz_signal_bit(SIGSTOP));
  }
  if (old) old->__bits = before;
  __rz_signal_deliver_pending();
  return 0;
}

int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
  const int error = change_mask(how, set, old);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
  return change_mask(how, set, old);
}

int sigpending(sigset_t *set) {
  set->__bits = __rz_signals.pending & __rz_signals.blocked;
  return 0;
}

static int change_one(int how, int signal) {
  sigset_t set = {0};
  return sigaddset(&set, signal) < 0 ? -1 : sigprocmask(how, &set, 0);
}

int sighold(int signal) { return change_one(SIG_BLOCK, signal); }
int sigrelse(int signal) { return change_one(SIG_UNBLOCK, signal); }
