/* Barriers: the last thread that arrives releases the others, and a new round begins. */
#include "thread-state.h"

#include <errno.h>

#include "thread-engine.h"

int pthread_barrier_init(pthread_barrier_t *restrict barrier, const pthread_barrierattr_t *restrict attr,
                         unsigned count) {
  (void)attr;
  if (count == 0) return EINVAL;
  *barrier = (pthread_barrier_t){.__needed = count};
  return 0;
}

static void check_alive(const pthread_barrier_t *barrier, const char *complaint) {
  if (barrier->__state != __RZ_ALIVE) __rz_thread_misuse(complaint);
}

int pthread_barrier_destroy(pthread_barrier_t *barrier) {
  check_alive(barrier, "pthread_barrier_destroy: the barrier was destroyed before");
  if (barrier->__arrived != 0) __rz_thread_misuse("pthread_barrier_destroy: a thread waits at the barrier");
  barrier->__state = __RZ_DESTROYED;
  return 0;
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
  check_alive(barrier, "pthread_barrier_wait: the barrier was destroyed");
  __rz_point(__RZ_WRITES, barrier);
  /*
   * Each round is an object of its own: who arrives early for the next one owes the last nothing.
   */
  const void *round = (const char *)barrier + (barrier->__round & 7);
  const unsigned own = barrier->__round;
  if (__rz_has_threads) __rz_thread_release(round);
  if (++barrier->__arrived == barrier->__needed) {
    barrier->__arrived = 0;
    barrier->__round++;
    __rz_wake_all(barrier);
    if (__rz_has_threads) __rz_thread_acquire(round);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  while (barrier->__round == own) __rz_block(__RZ_WAITS_AT_BARRIER, barrier, 0, __RZ_NEVER);
  __rz_thread_acquire(round);
  return 0;
}
