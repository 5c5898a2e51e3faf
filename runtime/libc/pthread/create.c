/* The life of a thread: created, run, joined or detached. */
#include "thread-state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock-state.h"
#include "exit.h"
#include "thread-engine.h"

static struct __rz_thread *all_threads(void) { return __rz_find_thread(1); }

static void forget(struct __rz_thread *thread) {
  struct __rz_thread *before = all_threads();
  while (before->next != thread) before = before->next;
  before->next = thread->next;
  if (thread->handle != 0) __rz_thread_forget(thread->handle);
  free(thread);
}

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
  void *(*start)(void *) = thread->start;
  thread->start = 0;
  call(thread, start);
  __rz_begin_threads();
  if (__rz_run_key_destructors) __rz_run_key_destructors(thread);
  thread->phase = __RZ_ENDED;
  __rz_wake_all(thread);
}

/* On top of its creator's stack. */
static void call_thread(struct __rz_thread *thread) {
  struct __rz_thread *suspended = __rz_current_thread;
  __rz_current_thread = thread;
  run(thread);
  __rz_thread_returned();
  __rz_current_thread = suspended;
  if (thread->is_detached) forget(thread);
}

static void count_threads(void) {
  const struct __rz_thread *last = 0;
  for (const struct __rz_thread *thread = all_threads(); thread; thread = thread->next) {
    if (thread->phase != __RZ_ENDED) last = thread;
  }
  if (last && last->id == 1) __rz_wake_all(&__rz_has_threads);
}

/* Where a thread with a stack of its own begins. */
static void begin(void) {
  struct __rz_thread *thread = __rz_current_thread;
  errno = 0;
  run(thread);
  count_threads();
  if (thread->is_detached) forget(thread);
  __rz_leave_thread();
}

static void sleep_as_thread(int64_t deadline) {
  static char sleepers;
  __rz_cancellation_point();
  while (__rz_block(__RZ_WAITS_FOR_TIME, &sleepers, 0, deadline) == 0);
  __rz_cancellation_point();
}

/* Threads that are left over when the program ends. */
static void report_left_threads(void) {
  for (const struct __rz_thread *thread = all_threads()->next; thread; thread = thread->next) {
    if (thread->handle != 0 && !thread->is_detached && thread != __rz_current_thread)
      __rz_thread_left(thread->handle, thread->phase != __RZ_ENDED);
  }
}

/* Other threads may do more before the program ends, or not. */
static void before_exit(int status) {
  (void)status;
  for (const struct __rz_thread *thread = all_threads(); thread; thread = thread->next) {
    if (thread != __rz_current_thread && thread->phase != __RZ_ENDED) {
      __rz_rare_point(__RZ_EXITS, 0, 0);
      return;
    }
  }
}

static void set_up(void) {
  if (__rz_has_threads) return;
  __rz_has_threads = 1;
  __rz_call_thread = call_thread;
  __rz_time_is_modelled = 1;
  __rz_sleep_as_thread = sleep_as_thread;
  atexit(report_left_threads);
  __rz_exit_as_thread = before_exit;
}

/* By its number, which is the order of creation. */
static void append(struct __rz_thread *thread) {
  struct __rz_thread *last = all_threads();
  while (last->next) last = last->next;
  last->next = thread;
}

int pthread_create(pthread_t *restrict id, const pthread_attr_t *restrict attr, void *(*start)(void *),
                   void *restrict argument) {
  static pthread_t last_id = 1;
  struct __rz_thread *thread = calloc(1, sizeof *thread);
  if (!thread) return EAGAIN;
  set_up();
  thread->id = ++last_id;
  thread->creator = __rz_current_thread;
  thread->deadline = __RZ_NEVER;
  thread->is_detached = attr && attr->__detached == PTHREAD_CREATE_DETACHED;
  strcpy(thread->name, __rz_current_thread->name);
  *id = thread->id;
  thread->start = start;
  thread->argument = argument;
  thread->handle = __rz_thread_new((unsigned)thread->id, begin);
  if (thread->handle == __RZ_TOO_MANY_THREADS) __rz_abort("unsupported", "more than 255 threads at once");
  append(thread);
  if (thread->handle != __RZ_NO_THREADS) __rz_thread_has_stack();
  __rz_point(__RZ_WRITES, &__rz_has_threads);
  __rz_begin_threads();
  return 0;
}

_Noreturn void pthread_exit(void *value) {
  struct __rz_thread *thread = __rz_current_thread;
  run_cleanups(thread);
  if (thread->creator) {
    thread->result = value;
    longjmp(thread->on_exit, 1);
  }
  __rz_begin_threads();
  if (__rz_run_key_destructors) __rz_run_key_destructors(thread);
  for (;;) {
    int others = 0;
    for (const struct __rz_thread *other = thread->next; other; other = other->next) others |= other->phase != __RZ_ENDED;
    if (!others) exit(0);
    __rz_block(__RZ_WAITS_FOR_ALL_THREADS, &__rz_has_threads, 0, __RZ_NEVER);
  }
}

static int join(pthread_t id, void **value, int64_t deadline) {
  __rz_cancellation_point();
  struct __rz_thread *thread = __rz_find_thread(id);
  if (!thread) return ESRCH;
  if (thread == __rz_current_thread) return EDEADLK;
  if (thread->is_detached) return EINVAL;
  __rz_point(__RZ_JOINS, (const void *)(uintptr_t)thread->handle);
  while (thread->phase != __RZ_ENDED) {
    if (__rz_block(__RZ_WAITS_FOR_THREAD, thread, id, deadline) != 0) return ETIMEDOUT;
    __rz_cancellation_point();
  }
  if (thread->handle != 0) __rz_thread_joined(thread->handle);
  if (value) *value = thread->result;
  forget(thread);
  return 0;
}

int pthread_join(pthread_t id, void **value) { return join(id, value, __RZ_NEVER); }

int pthread_tryjoin_np(pthread_t id, void **value) {
  const struct __rz_thread *thread = __rz_find_thread(id);
  return thread && thread->phase != __RZ_ENDED ? EBUSY : pthread_join(id, value);
}

int pthread_timedjoin_np(pthread_t id, void **value, const struct timespec *deadline) {
  return join(id, value, __rz_deadline(CLOCK_REALTIME, deadline));
}

int pthread_detach(pthread_t id) {
  struct __rz_thread *thread = __rz_find_thread(id);
  if (!thread) return ESRCH;
  if (thread->is_detached) return EINVAL;
  thread->is_detached = 1;
  if (thread->phase == __RZ_ENDED) forget(thread);
  return 0;
}
