/* Mutexes. A lock that cannot be had now can never be had: see thread-state.h. */
#include "thread-state.h"

#include <errno.h>
#include <limits.h>

static void check_alive(const pthread_mutex_t *mutex, const char *complaint) {
  if (mutex->__state != __RZ_ALIVE) __rz_thread_misuse(complaint);
}

int pthread_mutex_init(pthread_mutex_t *restrict mutex, const pthread_mutexattr_t *restrict attr) {
  *mutex = (pthread_mutex_t){.__type = attr ? attr->__type : PTHREAD_MUTEX_DEFAULT,
                             .__ceiling = attr ? attr->__ceiling : 0};
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  check_alive(mutex, "pthread_mutex_destroy: the mutex was destroyed before");
  if (mutex->__count != 0) __rz_thread_misuse("pthread_mutex_destroy: the mutex is locked");
  mutex->__state = __RZ_DESTROYED;
  return 0;
}

/* Takes the lock if it is free, or owned by the caller and recursive. */
static int try_lock(pthread_mutex_t *mutex) {
  const pthread_t self = pthread_self();
  if (mutex->__count == 0) {
    mutex->__owner = self;
    mutex->__count = 1;
    __rz_current_thread->locks++;
    return 0;
  }
  if (mutex->__type != PTHREAD_MUTEX_RECURSIVE || mutex->__owner != self) return EBUSY;
  if (mutex->__count == UINT_MAX) return EAGAIN;
  mutex->__count++;
  return 0;
}

static int is_errorcheck_relock(const pthread_mutex_t *mutex) {
  return mutex->__type == PTHREAD_MUTEX_ERRORCHECK && mutex->__owner == pthread_self();
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  check_alive(mutex, "pthread_mutex_lock: the mutex was destroyed");
  const int error = try_lock(mutex);
  if (error != EBUSY) return error;
  if (is_errorcheck_relock(mutex)) return EDEADLK;
  if (mutex->__owner == pthread_self()) {
    __rz_wait_in_vain("pthread_mutex_lock: the thread locks a mutex that it holds already", mutex->__owner);
  }
  __rz_wait_in_vain("pthread_mutex_lock: another thread holds the mutex", mutex->__owner);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  check_alive(mutex, "pthread_mutex_trylock: the mutex was destroyed");
  return try_lock(mutex);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict deadline) {
  (void)deadline;
  check_alive(mutex, "pthread_mutex_timedlock: the mutex was destroyed");
  const int error = try_lock(mutex);
  if (error != EBUSY) return error;
  return is_errorcheck_relock(mutex) ? EDEADLK : ETIMEDOUT;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  check_alive(mutex, "pthread_mutex_unlock: the mutex was destroyed");
  if (mutex->__count == 0 || mutex->__owner != pthread_self()) {
    if (mutex->__type == PTHREAD_MUTEX_ERRORCHECK || mutex->__type == PTHREAD_MUTEX_RECURSIVE) return EPERM;
    __rz_thread_misuse(mutex->__count == 0 ? "pthread_mutex_unlock: the mutex is not locked"
                                           : "pthread_mutex_unlock: another thread holds the mutex");
  }
  if (--mutex->__count != 0) return 0;
  if (--__rz_current_thread->locks == 0 && __rz_begin_threads) __rz_begin_threads();
  return 0;
}

/* No owner of a robust mutex ever dies before the others look. */
int pthread_mutex_consistent(pthread_mutex_t *mutex) {
  (void)mutex;
  return EINVAL;
}

int pthread_mutex_getprioceiling(const pthread_mutex_t *restrict mutex, int *restrict ceiling) {
  *ceiling = mutex->__ceiling;
  return 0;
}

int pthread_mutex_setprioceiling(pthread_mutex_t *restrict mutex, int ceiling, int *restrict old) {
  if (old) *old = mutex->__ceiling;
  mutex->__ceiling = ceiling;
  return 0;
}
