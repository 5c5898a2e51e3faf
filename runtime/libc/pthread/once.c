#include "thread-state.h"

#include "thread-engine.h"

/* While the routine runs, the number of the thread that runs it is kept above these. */
enum { NOT_YET = PTHREAD_ONCE_INIT, DONE = 1, RUNNING = 2 };

int pthread_once(pthread_once_t *once, void (*routine)(void)) {
  __rz_point(__RZ_WRITES, once);
  while (*once != NOT_YET && *once != DONE) __rz_block(__RZ_WAITS_FOR_ONCE, once, (pthread_t)(*once - RUNNING), __RZ_NEVER);
  if (*once == DONE) {
    if (__rz_has_threads) __rz_thread_acquire(once);
    return 0;
  }
  *once = RUNNING + (int)pthread_self();
  routine();
  *once = DONE;
  if (__rz_has_threads) __rz_thread_release(once);
  __rz_wake_all(once);
  return 0;
}
