/*
 * What happens when a signal arrives: the handler runs here and now, or the default action ends the
 * program.
 */
#include "engine.h"
#include "signals.h"

#include <errno.h>
#include <string.h>

static int is_ignored_by_default(int signal) {
  return signal == SIGCHLD || signal == SIGCONT || signal == SIGURG || signal == SIGWINCH;
}

/* The signals whose default action is a core dump. */
static int means_error(int signal) {
  switch (signal) {
    case SIGQUIT:
    case SIGILL:
    case SIGTRAP:
    case SIGABRT:
    case SIGBUS:
    case SIGFPE:
    case SIGSEGV:
    case SIGXCPU:
    case SIGXFSZ:
    case SIGSYS: return 1;
    default: return 0;
  }
}

/*
 * Ends the program: no process is left that could continue one that stops, so SIGSTOP and similar
 * signals end it too. Buffered output is lost, as when a real signal kills a process. Most signals
 * are no error: a program that was asked to end raises them itself after it has cleaned up, and
 * SIGPIPE is how the programs of a pipeline end.
 */
static _Noreturn void end_program(int signal) {
  if (!means_error(signal)) __rz_exit(128 + signal);
  char message[48] = "ended by ";
  strcat(message, __rz_signal_name(signal));
  __rz_abort("abort", message);
}

static void deliver(const siginfo_t *info) {
  const int signal = info->si_signo;
  struct sigaction *action = &__rz_signals.actions[signal];
  const struct sigaction chosen = *action;
  if (chosen.sa_handler == SIG_IGN) return;
  if (chosen.sa_handler == SIG_DFL) {
    if (is_ignored_by_default(signal)) return;
    end_program(signal);
  }

  __rz_signals.handled++;
  const unsigned long blocked = __rz_signals.blocked;
  const int saved_errno = errno;
  __rz_signals.blocked |= chosen.sa_mask.__bits;
  if (!(chosen.sa_flags & SA_NODEFER)) __rz_signals.blocked |= __rz_signal_bit(signal);
  if (chosen.sa_flags & (int)SA_RESETHAND) action->sa_handler = SIG_DFL;
  if (chosen.sa_flags & SA_SIGINFO) {
    siginfo_t copy = *info;
    ucontext_t context = {0};
    context.uc_sigmask.__bits = blocked;
    chosen.sa_sigaction(signal, &copy, &context);
  } else {
    chosen.sa_handler(signal);
  }
  errno = saved_errno;
  __rz_signals.blocked = blocked;
  __rz_signal_deliver_pending();
}

void __rz_signal_send(const siginfo_t *info) {
  const int signal = info->si_signo;
  if (__rz_signals.blocked & __rz_signal_bit(signal)) {
    __rz_signals.pending |= __rz_signal_bit(signal);
    __rz_signals.pending_info[signal] = *info;
  } else {
    deliver(info);
  }
}

void __rz_signal_deliver_pending(void) {
  for (;;) {
    const unsigned long ready = __rz_signals.pending & ~__rz_signals.blocked;
    if (ready == 0) return;
    const int signal = __builtin_ctzl(ready) + 1;
    __rz_signals.pending &= ~__rz_signal_bit(signal);
    const siginfo_t info = __rz_signals.pending_info[signal];
    deliver(&info);
  }
}

void __rz_signal_broken_pipe(void) {
  const siginfo_t info = {.si_signo = SIGPIPE, .si_code = SI_USER};
  __rz_signal_send(&info);
}
