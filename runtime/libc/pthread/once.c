#include "thread-state.h"

enum { NOT_YET = PTHREAD_ONCE_INIT, RUNNING, DONE };

int pthread_once(pthread_once_t *once, void (*routine)(void)) {
  if (*once == RUNNING) __rz_wait_in_vain("pthread_once: the routine calls pthread_once for itself", pthread_self());
  if (*once == NOT_YET) {
    *once = RUNNING;
    routine();
    *once = DONE;
  }
  return 0;
}
