/* The life of a thread: created, run to its end, joined or detached. */
#include "thread-state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct __rz_thread *all_threads(void) { return __rz_find_thread(1); }

static void forget(struct __rz_thread *thread) {
  struct __rz_thread *before = all_threads();
  while (before->next != thread) before = before->next;
  before->next = thread->next;
  free(thread);
}

static void begin_threads(void);

static void run_cleanups(struct __rz_thread *thread) {
  while (thread->cleanups) {
    struct __rz_cleanup *frame = thread->cleanups;
    thread->cleanups = frame->__outer;
    frame->__routine(frame->__argument);
  }
}

/* Apart from the rest, so that no local of that lives across setjmp. */
static void call(struct __rz_thread *thread, void *(*start)(void *)) {
  if (setjmp(thread->on_exit) == 0) thread->result = start(thread->argument);
}

static void run(struct __rz_thread *thread) {
  struct __rz_thread *suspended = __rz_current_thread;
  void *(*start)(void *) = thread->start;
  thread->start = 0;
  __rz_current_thread = thread;
  call(thread, start);
  begin_threads();
  if (__rz_run_key_destructors) __rz_run_key_destructors(thread);
  __rz_current_thread = suspended;
  thread->is_running = 0;
  if (thread->is_detached) forget(thread);
}

/* In the order of their creation, which is that of their numbers. */
static void begin_threads(void) {
  for (;;) {
    struct __rz_thread *first = 0;
    for (struct __rz_thread *thread = all_threads(); thread; thread = thread->next) {
      if (thread->start && (!first || thread->id < first->id)) first = thread;
    }
    if (!first) return;
    run(first);
  }
}

int pthread_create(pthread_t *restrict id, const pthread_attr_t *restrict attr, void *(*start)(void *),
                   void *restrict argument) {
  static pthread_t last_id = 1;
  struct __rz_thread *thread = calloc(1, sizeof *thread);
  if (!thread) return EAGAIN;
  thread->id = ++last_id;
  thread->creator = __rz_current_thread;
  thread->is_running = 1;
  thread->is_detached = attr && attr->__detached == PTHREAD_CREATE_DETACHED;
  strcpy(thread->name, __rz_current_thread->name);
  thread->next = all_threads()->next;
  all_threads()->next = thread;
  *id = thread->id;
  thread->start = start;
  thread->argument = argument;
  __rz_begin_threads = begin_threads;
  if (__rz_current_thread->locks == 0) begin_threads();
  return 0;
}

_Noreturn void pthread_exit(void *value) {
  struct __rz_thread *thread = __rz_current_thread;
  run_cleanups(thread);
  if (thread->creator) {
    thread->result = value;
    longjmp(thread->on_exit, 1);
  }
  begin_threads();
  if (__rz_run_key_destructors) __rz_run_key_destructors(thread);
  exit(0);
}

int pthread_join(pthread_t id, void **value) {
  struct __rz_thread *thread = __rz_find_thread(id);
  if (!thread) return ESRCH;
  if (thread == __rz_current_thread) return EDEADLK;
  if (thread->is_detached) return EINVAL;
  __rz_current_thread->joins = thread;
  if (thread->start) begin_threads();
  __rz_current_thread->joins = 0;
  if (thread->is_running) __rz_wait_in_vain("a thread joins the one that created it", id);
  if (value) *value = thread->result;
  forget(thread);
  return 0;
}

int pthread_tryjoin_np(pthread_t id, void **value) {
  const struct __rz_thread *thread = __rz_find_thread(id);
  return thread && thread->is_running ? EBUSY : pthread_join(id, value);
}

int pthread_timedjoin_np(pthread_t id, void **value, const struct timespec *deadline) {
  (void)deadline;
  const struct __rz_thread *thread = __rz_find_thread(id);
  return thread && thread->is_running ? ETIMEDOUT : pthread_join(id, value);
}

int pthread_detach(pthread_t id) {
  struct __rz_thread *thread = __rz_find_thread(id);
  if (!thread) return ESRCH;
  if (thread->is_detached) return EINVAL;
  thread->is_detached = 1;
  if (!thread->is_running) forget(thread);
  return 0;
}
