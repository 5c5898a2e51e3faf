#include "thread-state.h"

static struct __rz_thread main_thread = {.id = 1, .name = "main", .deadline = __RZ_NEVER};

struct __rz_thread *__rz_current_thread = &main_thread;
int __rz_has_threads;
void (*__rz_call_thread)(struct __rz_thread *thread);
void (*__rz_run_key_destructors)(struct __rz_thread *thread);

void (*__rz_cancel_thread)(void);

void __rz_cancellation_point(void) {
  const struct __rz_thread *self = __rz_current_thread;
  if (self->cancel_pending && !self->cancel_disabled) __rz_cancel_thread();
}

struct __rz_thread *__rz_find_thread(pthread_t id) {
  for (struct __rz_thread *thread = &main_thread; thread; thread = thread->next) {
    if (thread->id == id) return thread;
  }
  return 0;
}
