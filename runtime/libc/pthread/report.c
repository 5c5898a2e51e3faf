#include "engine.h"
#include "thread-state.h"

#include <stddef.h>

static size_t append(char *to, size_t size, size_t at, const char *text) {
  while (*text && at + 1 < size) to[at++] = *text++;
  to[at] = 0;
  return at;
}

_Noreturn void __rz_wait_in_vain(const char *what, pthread_t owner) {
  char message[160];
  const struct __rz_thread *self = __rz_current_thread;
  const struct __rz_thread *holder = owner ? __rz_find_thread(owner) : 0;
  const int somebody_else_is_alive = self->creator != 0;
  const int holder_could_go_on = holder && holder != self && holder->is_running && holder->joins != self;
  const int could_end = owner ? holder_could_go_on : somebody_else_is_alive;
  if (could_end) {
    append(message, sizeof message, append(message, sizeof message, 0, "threads that run side by side: "), what);
    __rz_abort("unsupported", message);
  }
  append(message, sizeof message, append(message, sizeof message, 0, "deadlock: "), what);
  __rz_abort("abort", message);
}

_Noreturn void __rz_thread_misuse(const char *what) { __rz_abort("abort", what); }
