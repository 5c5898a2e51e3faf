/* Semaphores without a name. */
#include "thread-state.h"

#include <errno.h>
#include <semaphore.h>

#include "thread-engine.h"

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

static int try_wait(sem_t *sem) {
  check_alive(sem, "sem_wait: the semaphore was destroyed");
  if (sem->__value == 0) return EAGAIN;
  sem->__value--;
  if (__rz_has_threads) __rz_thread_acquire(sem);
  return 0;
}

static int wait_until(sem_t *sem, int64_t deadline) {
  __rz_point(__RZ_WRITES, sem);
  __rz_cancellation_point();
  while (try_wait(sem) != 0) {
    if (__rz_block(__RZ_WAITS_FOR_SEMAPHORE, sem, 0, deadline) != 0) return fail(ETIMEDOUT);
    __rz_cancellation_point();
  }
  return 0;
}

int sem_trywait(sem_t *sem) {
  __rz_point(__RZ_WRITES, sem);
  const int error = try_wait(sem);
  return error ? fail(error) : 0;
}

int sem_wait(sem_t *sem) { return wait_until(sem, __RZ_NEVER); }

int sem_timedwait(sem_t *restrict sem, const struct timespec *restrict deadline) {
  if (sem->__value == 0 && (deadline->tv_nsec < 0 || deadline->tv_nsec >= 1000000000)) return fail(EINVAL);
  return wait_until(sem, __rz_deadline(CLOCK_REALTIME, deadline));
}

int sem_post(sem_t *sem) {
  check_alive(sem, "sem_post: the semaphore was destroyed");
  __rz_point(__RZ_WRITES, sem);
  if (sem->__value == SEM_VALUE_MAX) return fail(EOVERFLOW);
  if (__rz_has_threads) __rz_thread_release(sem);
  sem->__value++;
  __rz_wake_all(sem);
  return 0;
}

int sem_getvalue(sem_t *restrict sem, int *restrict value) {
  check_alive(sem, "sem_getvalue: the semaphore was destroyed");
  __rz_point(__RZ_READS, sem);
  *value = (int)sem->__value;
  return 0;
}
