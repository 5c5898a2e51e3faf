#include "thread-state.h"

#include <signal.h>
#include <errno.h>
#include <string.h>

pthread_t pthread_self(void) { return __rz_current_thread->id; }

int pthread_equal(pthread_t left, pthread_t right) { return left == right; }

int pthread_kill(pthread_t id, int signal) {
  const struct __rz_thread *thread = __rz_find_thread(id);
  if (!thread || thread->phase == __RZ_ENDED) return ESRCH;
  return raise(signal) == 0 ? 0 : errno;
}

int pthread_setname_np(pthread_t id, const char *name) {
  struct __rz_thread *thread = __rz_find_thread(id);
  if (!thread) return ESRCH;
  if (strlen(name) >= sizeof thread->name) return ERANGE;
  strcpy(thread->name, name);
  return 0;
}

int pthread_getname_np(pthread_t id, char *name, size_t size) {
  const struct __rz_thread *thread = __rz_find_thread(id);
  if (!thread) return ESRCH;
  if (strlen(thread->name) >= size) return ERANGE;
  strcpy(name, thread->name);
  return 0;
}

/* Nothing forks here, so the handlers would never run. */
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
  (void)prepare, (void)parent, (void)child;
  return 0;
}
