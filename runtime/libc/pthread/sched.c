/* Scheduling of threads: one processor, one policy. */
#include "thread-state.h"

#include <errno.h>

int pthread_getschedparam(pthread_t id, int *restrict policy, struct sched_param *restrict param) {
  if (!__rz_find_thread(id)) return ESRCH;
  *policy = SCHED_OTHER;
  param->sched_priority = 0;
  return 0;
}

int pthread_setschedparam(pthread_t id, int policy, const struct sched_param *param) {
  if (!__rz_find_thread(id)) return ESRCH;
  if (policy != SCHED_OTHER) return EPERM;
  return param->sched_priority == 0 ? 0 : EINVAL;
}

int pthread_setschedprio(pthread_t id, int priority) {
  if (!__rz_find_thread(id)) return ESRCH;
  return priority == 0 ? 0 : EINVAL;
}

static int concurrency;

int pthread_getconcurrency(void) { return concurrency; }

int pthread_setconcurrency(int level) {
  if (level < 0) return EINVAL;
  concurrency = level;
  return 0;
}

int pthread_getcpuclockid(pthread_t id, clockid_t *clock) {
  if (!__rz_find_thread(id)) return ESRCH;
  *clock = CLOCK_PROCESS_CPUTIME_ID;
  return 0;
}

int pthread_getaffinity_np(pthread_t id, size_t size, cpu_set_t *set) {
  if (!__rz_find_thread(id)) return ESRCH;
  return sched_getaffinity(0, size, set) == 0 ? 0 : errno;
}

int pthread_setaffinity_np(pthread_t id, size_t size, const cpu_set_t *set) {
  if (!__rz_find_thread(id)) return ESRCH;
  return sched_setaffinity(0, size, set) == 0 ? 0 : errno;
}

int pthread_yield(void) {
  __rz_yield();
  return 0;
}
