/* Spin locks. */
#include "thread-state.h"

#include <errno.h>

int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  (void)shared;
  *lock = 0;
  return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock) {
  if (*lock) __rz_thread_misuse("pthread_spin_destroy: the lock is held");
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
  if (*lock) return EBUSY;
  *lock = (int)pthread_self();
  return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock) {
  if (pthread_spin_trylock(lock) == 0) return 0;
  __rz_wait_in_vain("pthread_spin_lock: the lock is held", (pthread_t)*lock);
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
  if (!*lock) __rz_thread_misuse("pthread_spin_unlock: the lock is not held");
  *lock = 0;
  return 0;
}
