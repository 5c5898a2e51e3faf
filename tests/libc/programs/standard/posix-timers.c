/* alarm, setitimer and timers of POSIX: what they interrupt, and with which result. */
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t count;
static sigjmp_buf out;
static void handle(int signal) { count++; }
static void leave(int signal) { siglongjmp(out, signal); }
static void note(int signal, siginfo_t *info, void *context) { count += info->si_value.sival_int + (info->si_code == SI_TIMER); }

int main(void) {
  struct timespec long_sleep = {2000000, 0}, left = {0};
  struct itimerval fast = {{0, 2000}, {0, 3000}}, none = {{0, 0}, {0, 0}}, old;
  signal(SIGALRM, handle);
  /* As gnulib's configure tests: a sleep of weeks ends with the alarm. */
  setitimer(ITIMER_REAL, &fast, NULL);
  printf("nanosleep %d", nanosleep(&long_sleep, &left));
  printf(" %s, left %d\n", strerror(errno), left.tv_sec > 1999990);
  printf("sleep left %d\n", sleep(100) >= 99);
  printf("usleep %d\n", usleep(999999));
  printf("pause %d\n", pause());
  printf("select %d\n", select(0, NULL, NULL, NULL, &(struct timeval){9, 0}));
  errno = 0;
  printf("poll %d", poll(NULL, 0, 9000));
  printf(" %d\n", errno == EINTR);
  const int so_far = count;
  for (int i = count; count < i + 3;) time(NULL);
  printf("clock readings %d\n", count > so_far);
  setitimer(ITIMER_REAL, &none, &old);
  printf("interval %ld\n", (long)old.it_interval.tv_usec);
  printf("alarm %u", alarm(100));
  printf(" %u", alarm(7));
  printf(" %u\n", alarm(0));
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  sigprocmask(SIG_BLOCK, &set, &before);
  ualarm(1000, 0);
  int got = 0;
  printf("sigwait %d", sigwait(&set, &got));
  printf(" %d\n", got == SIGALRM);
  ualarm(1000, 0);
  printf("sigsuspend %d\n", sigsuspend(&before));
  sigprocmask(SIG_SETMASK, &before, NULL);
  signal(SIGALRM, leave);
  if (sigsetjmp(out, 1) == 0) {
    ualarm(1000, 0);
    sleep(1000);
    puts("not reached");
  }
  struct sigaction action = {.sa_flags = SA_SIGINFO};
  action.sa_sigaction = note;
  sigaction(SIGUSR1, &action, NULL);
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  event.sigev_value.sival_int = 41;
  printf("timer %d", timer_create(CLOCK_MONOTONIC, &event, &timer));
  struct itimerspec once = {{0, 0}, {0, 1000000}}, rest = {{0, 0}, {0, 0}};
  count = 0;
  printf(" %d", timer_settime(timer, 0, &once, NULL));
  while (count == 0) sleep(1);
  printf(" %d %d %d", count, timer_getoverrun(timer), timer_gettime(timer, &rest));
  printf(" %ld %d\n", rest.it_value.tv_nsec, timer_delete(timer));
  event.sigev_signo = 999;
  printf("invalid %d\n", timer_create(CLOCK_REALTIME, &event, &timer));
  signal(SIGALRM, SIG_IGN);
  ualarm(1000, 0);
  printf("ignored %d\n", usleep(5000));
  return 0;
}
