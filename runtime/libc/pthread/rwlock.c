/* Read-write locks: any number of readers, or one writer. */
#include "thread-state.h"

#include <errno.h>

int pthread_rwlock_init(pthread_rwlock_t *restrict lock, const pthread_rwlockattr_t *restrict attr) {
  (void)attr;
  *lock = (pthread_rwlock_t){0};
  return 0;
}

static void check_alive(const pthread_rwlock_t *lock, const char *complaint) {
  if (lock->__state != __RZ_ALIVE) __rz_thread_misuse(complaint);
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
  check_alive(lock, "pthread_rwlock_destroy: the lock was destroyed before");
  if (lock->__readers || lock->__writer) __rz_thread_misuse("pthread_rwlock_destroy: the lock is held");
  lock->__state = __RZ_DESTROYED;
  return 0;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  check_alive(lock, "pthread_rwlock_rdlock: the lock was destroyed");
  if (lock->__writer) return EBUSY;
  lock->__readers++;
  return 0;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  check_alive(lock, "pthread_rwlock_wrlock: the lock was destroyed");
  if (lock->__writer || lock->__readers) return EBUSY;
  lock->__writer = pthread_self();
  return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  if (pthread_rwlock_tryrdlock(lock) == 0) return 0;
  if (lock->__writer == pthread_self()) return EDEADLK;
  __rz_wait_in_vain("pthread_rwlock_rdlock: another thread holds the lock for writing", lock->__writer);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  if (pthread_rwlock_trywrlock(lock) == 0) return 0;
  if (lock->__writer == pthread_self()) return EDEADLK;
  if (lock->__writer) {
    __rz_wait_in_vain("pthread_rwlock_wrlock: another thread holds the lock for writing", lock->__writer);
  }
  __rz_wait_in_vain("pthread_rwlock_wrlock: the lock is held for reading", 0);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict deadline) {
  (void)deadline;
  if (pthread_rwlock_tryrdlock(lock) == 0) return 0;
  return lock->__writer == pthread_self() ? EDEADLK : ETIMEDOUT;
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict deadline) {
  (void)deadline;
  if (pthread_rwlock_trywrlock(lock) == 0) return 0;
  return lock->__writer == pthread_self() ? EDEADLK : ETIMEDOUT;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  check_alive(lock, "pthread_rwlock_unlock: the lock was destroyed");
  if (lock->__writer) {
    if (lock->__writer != pthread_self()) {
      __rz_thread_misuse("pthread_rwlock_unlock: another thread holds the lock for writing");
    }
    lock->__writer = 0;
  } else {
    if (lock->__readers == 0) __rz_thread_misuse("pthread_rwlock_unlock: the lock is not held");
    lock->__readers--;
  }
  return 0;
}
