/* <signal.h>: what a program can do to itself. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t last, count;

static void note(int signal) {
  last = signal;
  count++;
}

static void detailed(int signal, siginfo_t *info, void *context) {
  printf("info %d %d %d %d\n", signal == info->si_signo, info->si_code == SI_QUEUE, info->si_value.sival_int,
         context != NULL);
}

int main(void) {
  printf("%d\n", signal(SIGTERM, note) == SIG_DFL);
  printf("%d ", raise(SIGTERM));
  printf("%d\n", last == SIGTERM);
  printf("%d\n", signal(SIGTERM, SIG_IGN) == note);
  printf("%d ", raise(SIGTERM));
  printf("%d\n", (int)count);
  printf("%d\n", signal(SIGTERM, SIG_DFL) == SIG_IGN);
  errno = 0;
  printf("%d ", signal(SIGKILL, note) == SIG_ERR);
  printf("%d\n", errno == EINVAL);
  errno = 0;
  printf("%d ", raise(1000));
  printf("%d\n", errno == EINVAL);
  printf("%d\n", raise(SIGCHLD));

  struct sigaction action, old;
  memset(&action, 0, sizeof action);
  action.sa_handler = note;
  sigemptyset(&action.sa_mask);
  action.sa_flags = (int)SA_RESETHAND;
  printf("%d ", sigaction(SIGUSR1, &action, &old));
  printf("%d\n", old.sa_handler == SIG_DFL);
  raise(SIGUSR1);
  sigaction(SIGUSR1, NULL, &old);
  printf("%d %d\n", last == SIGUSR1, old.sa_handler == SIG_DFL);

  sigset_t set, pending;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  printf("%d %d\n", sigismember(&set, SIGUSR2), sigismember(&set, SIGUSR1));
  signal(SIGUSR2, note);
  count = 0;
  sigprocmask(SIG_BLOCK, &set, NULL);
  raise(SIGUSR2);
  raise(SIGUSR2);
  sigpending(&pending);
  printf("%d %d\n", (int)count, sigismember(&pending, SIGUSR2));
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  printf("%d\n", (int)count);
  sigfillset(&set);
  sigdelset(&set, SIGINT);
  printf("%d %d\n", sigismember(&set, SIGINT), sigismember(&set, SIGHUP));

  memset(&action, 0, sizeof action);
  action.sa_sigaction = detailed;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &action, NULL);
  union sigval value = {.sival_int = 77};
  sigqueue(getpid(), SIGUSR1, value);
  printf("%d\n", kill(getpid(), 0));
  printf("%d %d %d %d %d %d\n", SIGABRT, SIGFPE, SIGILL, SIGINT, SIGSEGV, SIGTERM);
  return 0;
}
