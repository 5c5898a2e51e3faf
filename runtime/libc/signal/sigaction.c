/* Choosing what a signal does. */
#include "fd.h"
#include "signals.h"

#include <errno.h>

static int invalid(void) {
  errno = EINVAL;
  return -1;
}

int sigaction(int signal, const struct sigaction *restrict new, struct sigaction *restrict old) {
  if (!__rz_signal_is_valid(signal)) return invalid();
  if (new && (signal == SIGKILL || signal == SIGSTOP)) return invalid();
  struct sigaction *action = &__rz_signals.actions[signal];
  const struct sigaction before = *action;
  if (new) {
    *action = *new;
    __rz_on_broken_pipe = __rz_signal_broken_pipe;
    if (new->sa_handler == SIG_IGN) __rz_signals.pending &= ~__rz_signal_bit(signal);
  }
  if (old) *old = before;
  return 0;
}

static sighandler_t set_handler(int signal, sighandler_t handler, int flags) {
  struct sigaction new = {.sa_flags = flags}, old;
  new.sa_handler = handler;
  if (handler == SIG_ERR || sigaction(signal, &new, &old) < 0) {
    errno = EINVAL;
    return SIG_ERR;
  }
  return old.sa_handler;
}

sighandler_t signal(int signal, sighandler_t handler) { return set_handler(signal, handler, SA_RESTART); }
sighandler_t bsd_signal(int signal, sighandler_t handler) { return set_handler(signal, handler, SA_RESTART); }

sighandler_t sysv_signal(int signal, sighandler_t handler) {
  return set_handler(signal, handler, (int)SA_RESETHAND | SA_NODEFER);
}

int siginterrupt(int signal, int interrupt) {
  struct sigaction action;
  if (sigaction(signal, 0, &action) < 0) return -1;
  action.sa_flags = interrupt ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
  return sigaction(signal, &action, 0);
}

int sigignore(int signal) { return set_handler(signal, SIG_IGN, 0) == SIG_ERR ? -1 : 0; }

/* Handlers run on the program's stack, whatever stack it offers. */
int sigaltstack(const stack_t *restrict new, stack_t *restrict old) {
  static stack_t current = {.ss_flags = SS_DISABLE};
  const stack_t before = current;
  if (new) {
    if (!(new->ss_flags & SS_DISABLE) && new->ss_size < MINSIGSTKSZ) {
      errno = ENOMEM;
      return -1;
    }
    current = *new;
  }
  if (old) *old = before;
  return 0;
}
