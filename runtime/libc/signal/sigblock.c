/* sigblock, sigsetmask, siggetmask: masks of the first 32 signals, BSD. */
#include <signal.h>

static int change(int how, unsigned mask) {
  sigset_t set, old;
  sigemptyset(&set);
  for (int signal = 1; signal <= 32; signal++)
    if (mask >> (signal - 1) & 1) sigaddset(&set, signal);
  sigprocmask(how, &set, &old);
  unsigned before = 0;
  for (int signal = 1; signal <= 32; signal++)
    if (sigismember(&old, signal) == 1) before |= 1u << (signal - 1);
  return (int)before;
}

int sigblock(int mask) { return change(SIG_BLOCK, (unsigned)mask); }

int sigsetmask(int mask) { return change(SIG_SETMASK, (unsigned)mask); }

int siggetmask(void) { return change(SIG_BLOCK, 0); }
