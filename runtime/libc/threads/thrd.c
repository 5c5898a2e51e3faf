/* C11 threads, built on POSIX threads. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

struct start {
  thrd_start_t function;
  void *argument;
};

static void *run(void *packed) {
  const struct start start = *(struct start *)packed;
  free(packed);
  return (void *)(intptr_t)start.function(start.argument);
}

int thrd_create(thrd_t *thread, thrd_start_t function, void *argument) {
  struct start *start = malloc(sizeof *start);
  if (!start) return thrd_nomem;
  *start = (struct start){function, argument};
  if (pthread_create(thread, 0, run, start) == 0) return thrd_success;
  free(start);
  return thrd_error;
}

thrd_t thrd_current(void) { return pthread_self(); }
int thrd_equal(thrd_t left, thrd_t right) { return left == right; }
int thrd_detach(thrd_t thread) { return pthread_detach(thread) == 0 ? thrd_success : thrd_error; }
_Noreturn void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }
void thrd_yield(void) { sched_yield(); }

int thrd_join(thrd_t thread, int *result) {
  void *value;
  if (pthread_join(thread, &value) != 0) return thrd_error;
  if (result) *result = (int)(intptr_t)value;
  return thrd_success;
}

int thrd_sleep(const struct timespec *duration, struct timespec *remaining) {
  if (nanosleep(duration, remaining) == 0) return 0;
  return errno == EINTR ? -1 : -2;
}
