/* Condition variables. A signal wakes nobody, for nobody can be waiting; a wait is in vain. */
#include "thread-state.h"

#include <errno.h>

int pthread_cond_init(pthread_cond_t *restrict cond, const pthread_condattr_t *restrict attr) {
  *cond = (pthread_cond_t){.__clock = attr ? attr->__clock : 0};
  return 0;
}

static void check_alive(const pthread_cond_t *cond, const char *complaint) {
  if (cond->__state != __RZ_ALIVE) __rz_thread_misuse(complaint);
}

int pthread_cond_destroy(pthread_cond_t *cond) {
  check_alive(cond, "pthread_cond_destroy: the condition variable was destroyed before");
  cond->__state = __RZ_DESTROYED;
  return 0;
}

int pthread_cond_signal(pthread_cond_t *cond) {
  check_alive(cond, "pthread_cond_signal: the condition variable was destroyed");
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *cond) {
  check_alive(cond, "pthread_cond_broadcast: the condition variable was destroyed");
  return 0;
}

static int check_wait(const pthread_cond_t *cond, const pthread_mutex_t *mutex) {
  check_alive(cond, "pthread_cond_wait: the condition variable was destroyed");
  if (mutex->__count != 0 && mutex->__owner == pthread_self()) return 0;
  if (mutex->__type == PTHREAD_MUTEX_ERRORCHECK) return EPERM;
  __rz_thread_misuse("pthread_cond_wait: the thread does not hold the mutex");
}

int pthread_cond_wait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex) {
  const int error = check_wait(cond, mutex);
  if (error) return error;
  __rz_wait_in_vain("pthread_cond_wait: no other thread can signal the condition", 0);
}

int pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict deadline) {
  if (deadline->tv_nsec < 0 || deadline->tv_nsec >= 1000000000) return EINVAL;
  const int error = check_wait(cond, mutex);
  return error ? error : ETIMEDOUT;
}

int pthread_cond_clockwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex, clockid_t clock,
                           const struct timespec *restrict deadline) {
  (void)clock;
  return pthread_cond_timedwait(cond, mutex, deadline);
}
