/* abort, which also ends a program after a failed assertion. */
#include <signal.h>
#include <stdlib.h>

#include "engine.h"
#include "exit.h"

_Noreturn void __rz_abort_program(const char *kind, const char *message) {
  struct sigaction action;
  sigaction(SIGABRT, NULL, &action);
  if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGABRT);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(SIGABRT);
  }
  __rz_abort(kind, message);
}

_Noreturn void abort(void) { __rz_abort_program("abort", "the program called abort"); }
