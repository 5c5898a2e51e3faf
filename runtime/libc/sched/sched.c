/* Scheduling of a lone process on one processor, whose threads take turns. */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "thread-state.h"

static int fail(int error) {
  errno = error;
  return -1;
}

static int is_self(pid_t pid) { return pid == 0 || pid == getpid(); }

int sched_yield(void) {
  __rz_yield();
  return 0;
}

static int priority(int policy, int of_real_time) {
  switch (policy) {
    case SCHED_FIFO:
    case SCHED_RR: return of_real_time;
    case SCHED_OTHER:
    case SCHED_BATCH:
    case SCHED_IDLE: return 0;
    default: return fail(EINVAL);
  }
}

int sched_get_priority_max(int policy) { return priority(policy, 99); }
int sched_get_priority_min(int policy) { return priority(policy, 1); }

int sched_getscheduler(pid_t pid) { return is_self(pid) ? SCHED_OTHER : fail(ESRCH); }

int sched_getparam(pid_t pid, struct sched_param *param) {
  if (!is_self(pid)) return fail(ESRCH);
  param->sched_priority = 0;
  return 0;
}

int sched_setscheduler(pid_t pid, int policy, const struct sched_param *param) {
  if (!is_self(pid)) return fail(ESRCH);
  if (policy == SCHED_FIFO || policy == SCHED_RR) return fail(EPERM);
  return param->sched_priority == 0 ? 0 : fail(EINVAL);
}

int sched_setparam(pid_t pid, const struct sched_param *param) { return sched_setscheduler(pid, SCHED_OTHER, param); }

int sched_rr_get_interval(pid_t pid, struct timespec *interval) {
  if (!is_self(pid)) return fail(ESRCH);
  *interval = (struct timespec){0};
  return 0;
}

int sched_getcpu(void) { return 0; }

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set) {
  if (!is_self(pid)) return fail(ESRCH);
  if (size < sizeof(unsigned long)) return fail(EINVAL);
  memset(set, 0, size);
  CPU_SET(0, set);
  return 0;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set) {
  if (!is_self(pid)) return fail(ESRCH);
  return size >= sizeof(unsigned long) && CPU_ISSET(0, set) ? 0 : fail(EINVAL);
}

int __rz_cpu_count(const cpu_set_t *set) {
  int count = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) count += CPU_ISSET(cpu, set);
  return count;
}
