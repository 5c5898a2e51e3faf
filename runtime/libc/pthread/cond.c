/*
 * Condition variables. A thread that waits gives up its mutex, and has it again when the wait
 * returns.
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
  __rz_rare_point(__RZ_WRITES, cond, 0);
  check_alive(cond, "pthread_cond_destroy: the condition variable was destroyed before");
  cond->__state = __RZ_DESTROYED;
  return 0;
}

int pthread_cond_signal(pthread_cond_t *cond) {
  check_alive(cond, "pthread_cond_signal: the condition variable was destroyed");
  __rz_point(__RZ_WRITES, cond);
  __rz_wake_one(cond);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *cond) {
  check_alive(cond, "pthread_cond_broadcast: the condition variable was destroyed");
  __rz_point(__RZ_WRITES, cond);
  __rz_wake_all(cond);
  return 0;
}

static int check_wait(const pthread_cond_t *cond, const pthread_mutex_t *mutex) {
  check_alive(cond, "pthread_cond_wait: the condition variable was destroyed");
  if (mutex->__count != 0 && mutex->__owner == pthread_self()) return 0;
  if (mutex->__type == PTHREAD_MUTEX_ERRORCHECK) return EPERM;
  __rz_thread_misuse("pthread_cond_wait: the thread does not hold the mutex");
}

/* Others change both objects by pointers of their own, so `restrict` would be wrong here. */
static int wait(pthread_cond_t *cond, pthread_mutex_t *mutex, int64_t deadline) {
  const unsigned count = mutex->__count;
  __rz_rare_point(__RZ_WRITES, cond, mutex);
  __rz_cancellation_point();
  mutex->__count = 1;
  /* No thread begins on this stack before it is known that this one waits. */
  __rz_current_thread->locks++;
  __rz_give_up_mutex(mutex);
  __rz_current_thread->locks--;
  const int error = __rz_block(__RZ_WAITS_FOR_CONDITION, cond, 0, deadline);
  pthread_mutex_lock(mutex);
  mutex->__count = count;
  __rz_cancellation_point();
  return error;
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
  const int error = check_wait(cond, mutex);
  return error ? error : wait(cond, mutex, __RZ_NEVER);
}

int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *restrict deadline) {
  if (deadline->tv_nsec < 0 || deadline->tv_nsec >= 1000000000) return EINVAL;
  const int error = check_wait(cond, mutex);
  return error ? error : wait(cond, mutex, __rz_deadline(clock, deadline));
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                           const struct timespec *restrict deadline) {
  return pthread_cond_clockwait(cond, mutex, cond->__clock, deadline);
}
