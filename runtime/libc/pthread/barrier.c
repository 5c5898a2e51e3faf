/* Barriers: only one for a single thread can ever be passed. */
#include "thread-state.h"

#include <errno.h>

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
  barrier->__state = __RZ_DESTROYED;
  return 0;
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
  check_alive(barrier, "pthread_barrier_wait: the barrier was destroyed");
  if (barrier->__needed == 1) return PTHREAD_BARRIER_SERIAL_THREAD;
  __rz_wait_in_vain("pthread_barrier_wait: the other threads can not arrive", 0);
}
