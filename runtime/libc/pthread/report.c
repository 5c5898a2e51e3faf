#include "thread-engine.h"
#include "thread-state.h"

#include <stddef.h>

/* By enum __rz_waiting: what a wait that cannot end was for, in a program with one stack. */
static const char *const waits[] = {
    "",
    "pthread_mutex_lock: another thread holds the mutex",
    "pthread_mutex_lock: the thread locks a mutex that it holds already",
    "pthread_cond_wait: no other thread can signal the condition",
    "pthread_rwlock_rdlock: another thread holds the lock for writing",
    "pthread_rwlock_wrlock: another thread holds the lock for writing",
    "pthread_rwlock_wrlock: the lock is held for reading",
    "pthread_barrier_wait: the other threads can not arrive",
    "sem_wait: no other thread can post",
    "pthread_spin_lock: the lock is held",
    "pthread_once: the routine calls pthread_once for itself",
    "pthread_join: a thread joins the one that created it",
    "nanosleep: the time does not pass",
    "pthread_exit: the other threads can not end",
    "read: no other thread can write to the pipe",
};

static size_t append(char *to, size_t size, size_t at, const char *text) {
  while (*text && at + 1 < size) to[at++] = *text++;
  to[at] = 0;
  return at;
}

static int has_stacks(void) {
  for (const struct __rz_thread *thread = __rz_find_thread(1); thread; thread = thread->next) {
    if (thread->handle != 0) return 1;
  }
  return 0;
}

_Noreturn void __rz_wait_in_vain(void) {
  const struct __rz_thread *self = __rz_current_thread;
  if (has_stacks()) __rz_thread_deadlock();
  const struct __rz_thread *holder = self->holder ? __rz_find_thread(self->holder) : 0;
  const int is_joined_by_holder = holder && holder->waiting == __RZ_WAITS_FOR_THREAD && holder->awaited == self;
  const int holder_could_go_on = holder && holder != self && holder->phase != __RZ_ENDED && !is_joined_by_holder;
  const int could_end = self->holder ? holder_could_go_on : self->creator != 0;
  char message[160];
  const char *what = waits[self->waiting];
  if (could_end) {
    append(message, sizeof message, append(message, sizeof message, 0, "threads that run side by side: "), what);
    __rz_abort("unsupported", message);
  }
  __rz_abort("deadlock", what);
}

_Noreturn void __rz_thread_misuse(const char *what) { __rz_abort("abort", what); }
