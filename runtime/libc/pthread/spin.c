/* Spin locks. A thread that spins lets others run, for one that does not would spin forever. */
#include "thread-state.h"

#include <errno.h>

#include "thread-engine.h"

int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  (void)shared;
  *lock = 0;
  return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock) {
  if (*lock) __rz_thread_misuse("pthread_spin_destroy: the lock is held");
  return 0;
}

static int try_lock(pthread_spinlock_t *lock, unsigned tried) {
  if (*lock) return EBUSY;
  *lock = (int)pthread_self();
  __rz_current_thread->locks++;
  if (__rz_has_threads) {
    __rz_thread_acquire((const void *)lock);
    __rz_thread_holds((const void *)lock, __RZ_ALONE | tried);
  }
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
  __rz_point(__RZ_WRITES, (const void *)lock);
  return try_lock(lock, __RZ_TRIED);
}

int pthread_spin_lock(pthread_spinlock_t *lock) {
  __rz_point(__RZ_LOCKS, (const void *)lock);
  while (try_lock(lock, 0) != 0)
    __rz_block(__RZ_WAITS_FOR_SPIN_LOCK, (const void *)lock, (pthread_t)*lock, __RZ_NEVER);
  return 0;
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
  __rz_rare_point(__RZ_UNLOCKS, (const void *)lock, 0);
  if (!*lock) __rz_thread_misuse("pthread_spin_unlock: the lock is not held");
  *lock = 0;
  if (__rz_current_thread->locks > 0) __rz_current_thread->locks--;
  if (!__rz_has_threads) return 0;
  __rz_thread_release((const void *)lock);
  __rz_thread_holds((const void *)lock, 0);
  __rz_wake_all((const void *)lock);
  __rz_begin_threads();
  return 0;
}
