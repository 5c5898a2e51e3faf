#include "thread-state.h"

static struct __rz_thread main_thread = {.id = 1, .is_running = 1, .name = "main"};

struct __rz_thread *__rz_current_thread = &main_thread;
void (*__rz_begin_threads)(void);
void (*__rz_run_key_destructors)(struct __rz_thread *thread);

struct __rz_thread *__rz_find_thread(pthread_t id) {
  for (struct __rz_thread *thread = &main_thread; thread; thread = thread->next) {
    if (thread->id == id) return thread;
  }
  return 0;
}
