#include <signal.h>
#include <stdio.h>
#include <string.h>

void psignal(int signal, const char *message) {
  if (message && *message) fprintf(stderr, "%s: ", message);
  fprintf(stderr, "%s\n", strsignal(signal));
}

void psiginfo(const siginfo_t *info, const char *message) { psignal(info->si_signo, message); }
