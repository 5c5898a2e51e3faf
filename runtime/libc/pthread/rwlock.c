/* Read-write locks: any number of readers, or one writer. */
#include "thread-state.h"

#include <errno.h>

#include "thread-engine.h"

int pthread_rwlock_init(pthread_rwlock_t *restrict lock, const pthread_rwlockattr_t *restrict attr) {
  (void)attr;
  *lock = (pthread_rwlock_t){0};
  return 0;
}

static void check_alive(const pthread_rwlock_t *lock, const char *complaint) {
  if (lock->__state != __RZ_ALIVE) __rz_thread_misuse(complaint);
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
  __rz_rare_point(__RZ_WRITES, lock, 0);
  check_alive(lock, "pthread_rwlock_destroy: the lock was destroyed before");
  if (lock->__readers || lock->__writer) __rz_thread_misuse("pthread_rwlock_destroy: the lock is held");
  lock->__state = __RZ_DESTROYED;
  return 0;
}

/*
 * What writers do happens before what readers and writers do later, and what readers do only before
 * writers: two objects.
 */
static const void *of_readers(const pthread_rwlock_t *lock) { return &lock->__readers; }

static int try_read(pthread_rwlock_t *lock, unsigned tried) {
  check_alive(lock, "pthread_rwlock_rdlock: the lock was destroyed");
  if (lock->__writer) return EBUSY;
  lock->__readers++;
  __rz_current_thread->locks++;
  if (__rz_has_threads) {
    __rz_thread_acquire(lock);
    __rz_thread_holds(lock, __RZ_SHARED | tried);
  }
  return 0;
}

static int try_write(pthread_rwlock_t *lock, unsigned tried) {
  check_alive(lock, "pthread_rwlock_wrlock: the lock was destroyed");
  if (lock->__writer || lock->__readers) return EBUSY;
  lock->__writer = pthread_self();
  __rz_current_thread->locks++;
  if (__rz_has_threads) {
    __rz_thread_acquire(lock);
    __rz_thread_acquire(of_readers(lock));
    __rz_thread_holds(lock, __RZ_ALONE | tried);
  }
  return 0;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  __rz_point(__RZ_WRITES, lock);
  return try_read(lock, __RZ_TRIED);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  __rz_point(__RZ_WRITES, lock);
  return try_write(lock, __RZ_TRIED);
}

static int read_until(pthread_rwlock_t *lock, int64_t deadline) {
  const unsigned tried = deadline == __RZ_NEVER ? 0 : __RZ_TRIED;
  __rz_point(tried ? __RZ_WRITES : __RZ_READ_LOCKS, lock);
  while (try_read(lock, tried) != 0) {
    if (lock->__writer == pthread_self()) return EDEADLK;
    if (__rz_block(__RZ_WAITS_TO_READ, lock, lock->__writer, deadline) != 0) return ETIMEDOUT;
  }
  return 0;
}

static int write_until(pthread_rwlock_t *lock, int64_t deadline) {
  const unsigned tried = deadline == __RZ_NEVER ? 0 : __RZ_TRIED;
  __rz_point(tried ? __RZ_WRITES : __RZ_LOCKS, lock);
  while (try_write(lock, tried) != 0) {
    if (lock->__writer == pthread_self()) return EDEADLK;
    const enum __rz_waiting what = lock->__writer ? __RZ_WAITS_TO_WRITE : __RZ_WAITS_FOR_READERS;
    if (__rz_block(what, lock, lock->__writer, deadline) != 0) return ETIMEDOUT;
  }
  return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) { return read_until(lock, __RZ_NEVER); }
int pthread_rwlock_wrlock(pthread_rwlock_t *lock) { return write_until(lock, __RZ_NEVER); }

int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict deadline) {
  return read_until(lock, __rz_deadline(CLOCK_REALTIME, deadline));
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict deadline) {
  return write_until(lock, __rz_deadline(CLOCK_REALTIME, deadline));
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  __rz_rare_point(__RZ_UNLOCKS, lock, 0);
  check_alive(lock, "pthread_rwlock_unlock: the lock was destroyed");
  const int wrote = lock->__writer != 0;
  if (wrote) {
    if (lock->__writer != pthread_self()) {
      __rz_thread_misuse("pthread_rwlock_unlock: another thread holds the lock for writing");
    }
    lock->__writer = 0;
  } else {
    if (lock->__readers == 0) __rz_thread_misuse("pthread_rwlock_unlock: the lock is not held");
    lock->__readers--;
  }
  if (__rz_current_thread->locks > 0) __rz_current_thread->locks--;
  if (!__rz_has_threads) return 0;
  __rz_thread_release(wrote ? (const void *)lock : of_readers(lock));
  __rz_thread_holds(lock, 0);
  __rz_wake_all(lock);
  __rz_begin_threads();
  return 0;
}
