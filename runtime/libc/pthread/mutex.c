/* Mutexes. */
#include "thread-state.h"

#include <errno.h>
#include <limits.h>

#include "thread-engine.h"

static void check_alive(const pthread_mutex_t *mutex, const char *complaint) {
  if (mutex->__state != __RZ_ALIVE) __rz_thread_misuse(complaint);
}

int pthread_mutex_init(pthread_mutex_t *restrict mutex, const pthread_mutexattr_t *restrict attr) {
  *mutex = (pthread_mutex_t){.__type = attr ? attr->__type : PTHREAD_MUTEX_DEFAULT,
                             .__ceiling = attr ? attr->__ceiling : 0};
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  __rz_rare_point(__RZ_WRITES, mutex, 0);
  check_alive(mutex, "pthread_mutex_destroy: the mutex was destroyed before");
  if (mutex->__count != 0) __rz_thread_misuse("pthread_mutex_destroy: the mutex is locked");
  mutex->__state = __RZ_DESTROYED;
  return 0;
}

/* Takes the lock if it is free, or owned by the caller and recursive. */
static int try_lock(pthread_mutex_t *mutex, unsigned tried) {
  const pthread_t self = pthread_self();
  if (mutex->__count == 0) {
    mutex->__owner = self;
    mutex->__count = 1;
    __rz_current_thread->locks++;
    __rz_thread_holds(mutex, __RZ_ALONE | tried);
    if (__rz_has_threads) __rz_thread_acquire(mutex);
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

static int lock(pthread_mutex_t *mutex, int64_t deadline) {
  __rz_point(deadline == __RZ_NEVER ? __RZ_LOCKS : __RZ_WRITES, mutex);
  for (;;) {
    const int error = try_lock(mutex, deadline == __RZ_NEVER ? 0 : __RZ_TRIED);
    if (error != EBUSY) return error;
    if (is_errorcheck_relock(mutex)) return EDEADLK;
    const int is_own = mutex->__owner == pthread_self();
    if (__rz_block(is_own ? __RZ_WAITS_FOR_OWN_MUTEX : __RZ_WAITS_FOR_MUTEX, mutex, mutex->__owner, deadline) != 0)
      return ETIMEDOUT;
    check_alive(mutex, "pthread_mutex_lock: the mutex was destroyed while a thread waited for it");
  }
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  check_alive(mutex, "pthread_mutex_lock: the mutex was destroyed");
  return lock(mutex, __RZ_NEVER);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  check_alive(mutex, "pthread_mutex_trylock: the mutex was destroyed");
  __rz_point(__RZ_WRITES, mutex);
  return try_lock(mutex, __RZ_TRIED);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict deadline) {
  check_alive(mutex, "pthread_mutex_timedlock: the mutex was destroyed");
  if (deadline->tv_nsec < 0 || deadline->tv_nsec >= 1000000000) return EINVAL;
  return lock(mutex, __rz_deadline(CLOCK_REALTIME, deadline));
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  __rz_rare_point(__RZ_UNLOCKS, mutex, 0);
  return __rz_give_up_mutex(mutex);
}

int __rz_give_up_mutex(pthread_mutex_t *mutex) {
  check_alive(mutex, "pthread_mutex_unlock: the mutex was destroyed");
  if (mutex->__count == 0 || mutex->__owner != pthread_self()) {
    if (mutex->__type == PTHREAD_MUTEX_ERRORCHECK || mutex->__type == PTHREAD_MUTEX_RECURSIVE) return EPERM;
    __rz_thread_misuse(mutex->__count == 0 ? "pthread_mutex_unlock: the mutex is not locked"
                                           : "pthread_mutex_unlock: another thread holds the mutex");
  }
  if (mutex->__count == 1) {
    __rz_thread_holds(mutex, 0);
    if (__rz_has_threads) __rz_thread_release(mutex);
    __rz_wake_all(mutex);
  }
  if (--mutex->__count != 0) return 0;
  if (--__rz_current_thread->locks == 0 && __rz_has_threads) __rz_begin_threads();
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
