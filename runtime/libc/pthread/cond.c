/*
 * Condition variables. A thread that waits lets those begin that have not; if none of them signals,
 * it waits in vain.
 */
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
  if (cond->__woken < cond->__waiting) cond->__woken++;
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *cond) {
  check_alive(cond, "pthread_cond_broadcast: the condition variable was destroyed");
  cond->__woken = cond->__waiting;
  return 0;
}

static int check_wait(const pthread_cond_t *cond, const pthread_mutex_t *mutex) {
  check_alive(cond, "pthread_cond_wait: the condition variable was destroyed");
  if (mutex->__count != 0 && mutex->__owner == pthread_self()) return 0;
  if (mutex->__type == PTHREAD_MUTEX_ERRORCHECK) return EPERM;
  __rz_thread_misuse("pthread_cond_wait: the thread does not hold the mutex");
}

/*
 * Gives up the mutex while other threads run; whether one of them signalled the condition. They
 * change both objects by pointers of their
 *    own, so nobody here may promise `restrict`.
 */
static int is_woken(pthread_cond_t *cond, pthread_mutex_t *mutex) {
  if (!__rz_begin_threads) return 0;
  const unsigned count = mutex->__count;
  cond->__waiting++;
  mutex->__count = 0;
  __rz_current_thread->locks--;
  __rz_begin_threads();
  pthread_mutex_lock(mutex);
  mutex->__count = count;
  cond->__waiting--;
  if (cond->__woken == 0) return 0;
  cond->__woken--;
  return 1;
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
  const int error = check_wait(cond, mutex);
  if (error) return error;
  if (is_woken(cond, mutex)) return 0;
  __rz_wait_in_vain("pthread_cond_wait: no other thread can signal the condition", 0);
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                           const struct timespec *restrict deadline) {
  if (deadline->tv_nsec < 0 || deadline->tv_nsec >= 1000000000) return EINVAL;
  const int error = check_wait(cond, mutex);
  if (error) return error;
  return is_woken(cond, mutex) ? 0 : ETIMEDOUT;
}

int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *restrict deadline) {
  (void)clock;
  return pthread_cond_timedwait(cond, mutex, deadline);
}
