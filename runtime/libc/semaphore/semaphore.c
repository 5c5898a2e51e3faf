/* Semaphores without a name. Waiting at zero is waiting in vain: see thread-state.h. */
#include "thread-state.h"

#include <errno.h>
#include <semaphore.h>

static int fail(int error) {
  errno = error;
  return -1;
}

static void check_alive(const sem_t *sem, const char *complaint) {
  if (sem->__state != __RZ_ALIVE) __rz_thread_misuse(complaint);
}

int sem_init(sem_t *sem, int shared, unsigned value) {
  (void)shared;
  if (value > SEM_VALUE_MAX) return fail(EINVAL);
  *sem = (sem_t){.__value = value};
  return 0;
}

int sem_destroy(sem_t *sem) {
  check_alive(sem, "sem_destroy: the semaphore was destroyed before");
  sem->__state = __RZ_DESTROYED;
  return 0;
}

int sem_trywait(sem_t *sem) {
  check_alive(sem, "sem_wait: the semaphore was destroyed");
  if (sem->__value == 0) return fail(EAGAIN);
  sem->__value--;
  return 0;
}

int sem_wait(sem_t *sem) {
  if (sem->__value == 0 && __rz_begin_threads) __rz_begin_threads();
  if (sem->__value != 0 || sem->__state != __RZ_ALIVE) return sem_trywait(sem);
  __rz_wait_in_vain("sem_wait: no other thread can post", 0);
}

int sem_timedwait(sem_t *restrict sem, const struct timespec *restrict deadline) {
  if (sem_trywait(sem) == 0) return 0;
  return fail(deadline->tv_nsec < 0 || deadline->tv_nsec >= 1000000000 ? EINVAL : ETIMEDOUT);
}

int sem_post(sem_t *sem) {
  check_alive(sem, "sem_post: the semaphore was destroyed");
  if (sem->__value == SEM_VALUE_MAX) return fail(EOVERFLOW);
  sem->__value++;
  return 0;
}

int sem_getvalue(sem_t *restrict sem, int *restrict value) {
  check_alive(sem, "sem_getvalue: the semaphore was destroyed");
  *value = (int)sem->__value;
  return 0;
}
