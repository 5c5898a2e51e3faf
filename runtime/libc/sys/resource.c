#include <sys/resource.h>

#include <string.h>
#include <sys/times.h>
#include <unistd.h>

#include "fd.h"
#include "clock-state.h"
#include "host.h"
#include "result.h"

#define STACK_BYTES (1UL << 20)

int getrlimit(int resource, struct rlimit *out) {
  if (resource < 0 || resource >= RLIM_NLIMITS) return __rz_error(EINVAL);
  rlim_t limit = resource == RLIMIT_NOFILE ? FD_MAX : resource == RLIMIT_STACK ? STACK_BYTES : RLIM_INFINITY;
  out->rlim_cur = out->rlim_max = limit;
  return 0;
}

/* Limits are accepted and not enforced. */
int setrlimit(int resource, const struct rlimit *limit) {
  if (resource < 0 || resource >= RLIM_NLIMITS || limit->rlim_cur > limit->rlim_max) return __rz_error(EINVAL);
  return 0;
}

int prlimit(pid_t process, int resource, const struct rlimit *new_limit, struct rlimit *old_limit) {
  if (process != 0 && process != getpid()) return __rz_error(ESRCH);
  if (old_limit && getrlimit(resource, old_limit) < 0) return -1;
  return new_limit ? setrlimit(resource, new_limit) : 0;
}

int getrusage(int who, struct rusage *out) {
  if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN && who != RUSAGE_THREAD) return __rz_error(EINVAL);
  memset(out, 0, sizeof *out);
  if (who == RUSAGE_CHILDREN) return 0;
  int64_t used = __rz_clock(__HOST_CLOCK_CPU);
  out->ru_utime.tv_sec = used / 1000000000;
  out->ru_utime.tv_usec = used % 1000000000 / 1000;
  return 0;
}

int getpriority(int which, id_t who) {
  (void)which, (void)who;
  return 0;
}

int setpriority(int which, id_t who, int priority) {
  (void)which, (void)who;
  if (priority == 0) return 0;
  return __rz_error(priority < 0 ? EACCES : ENOSYS);
}

/* In hundredths of a second: sysconf(_SC_CLK_TCK) is 100. */
clock_t times(struct tms *out) {
  memset(out, 0, sizeof *out);
  out->tms_utime = __rz_clock(__HOST_CLOCK_CPU) / 10000000;
  return __rz_clock(__HOST_CLOCK_MONOTONIC) / 10000000;
}
