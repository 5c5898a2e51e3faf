/* Who runs next: see thread-state.h. */
#include "thread-state.h"

#include <errno.h>

#include "clock-state.h"
#include "thread-engine.h"

#define NANOSECONDS 1000000000L
/* As many as engines make, and main. */
#define MOST_THREADS 1024

static struct __rz_thread *all_threads(void) { return __rz_find_thread(1); }

/* --------------------------------------- one stack: threads are called, first created first run */

static int call_pending_thread(void) {
  if (!__rz_call_thread) return 0;
  for (struct __rz_thread *thread = all_threads(); thread; thread = thread->next) {
    if (!thread->start || thread->handle != 0) continue;
    __rz_call_thread(thread);
    return 1;
  }
  return 0;
}

/* --------------------------------------------------------------------- stacks to switch between */

/* One thread runs at a time, and there is no switch while these are in use. */
static struct __rz_thread *found[MOST_THREADS];
static unsigned handles[MOST_THREADS];
/* Has a thread got a stack of its own? */
static int has_stacks;

void __rz_thread_has_stack(void) { has_stacks = 1; }

static struct __rz_thread *choose(enum __rz_choice what, struct __rz_thread **among, unsigned count, unsigned running) {
  if (count == 1) return among[0];
  for (unsigned i = 0; i < count; i++) handles[i] = among[i]->handle;
  return among[__rz_thread_choose(what, handles, count, running)];
}

static unsigned runnable(void) {
  unsigned count = 0;
  for (struct __rz_thread *thread = all_threads(); thread && count < MOST_THREADS; thread = thread->next) {
    const int has_stack = thread->id == 1 || thread->handle != 0;
    if (has_stack && thread->phase == __RZ_RUNNABLE) found[count++] = thread;
  }
  return count;
}

static void set_runnable(struct __rz_thread *thread) {
  thread->phase = __RZ_RUNNABLE;
  thread->awaited = 0;
  thread->deadline = __RZ_NEVER;
}

/* The first deadline of a thread that waits, or earlier: nothing happens before. */
static int64_t first_deadline = __RZ_NEVER;

/* How far a point moves time, and one of a thread that can do nothing but wait for others. */
#define OF_POINT 10000
#define OF_YIELD 1000000

static void end_late_waits(void) {
  const int64_t now = __rz_modelled_time();
  int64_t first = __RZ_NEVER;
  for (struct __rz_thread *thread = all_threads(); thread; thread = thread->next) {
    if (thread->phase != __RZ_WAITING) continue;
    if (thread->deadline <= now) {
      thread->is_late = 1;
      set_runnable(thread);
    } else if (thread->deadline < first) {
      first = thread->deadline;
    }
  }
  first_deadline = first;
}

/* No thread can run: time passes until the first deadline. */
static int let_time_pass(void) {
  end_late_waits();
  if (runnable() > 0) return 1; /* a deadline had passed already */
  if (first_deadline == __RZ_NEVER) return 0;
  __rz_advance_clock(first_deadline);
  end_late_waits();
  return 1;
}

static void switch_to(struct __rz_thread *thread) {
  struct __rz_thread *self = __rz_current_thread;
  if (thread == self) return;
  self->error = errno;
  __rz_current_thread = thread;
  __rz_thread_switch(thread->handle);
  errno = self->error;
}

static struct __rz_thread *next_thread(enum __rz_choice what) {
  unsigned count = runnable();
  if (count == 0 && let_time_pass()) count = runnable();
  if (count == 0) __rz_wait_in_vain();
  unsigned running = 0;
  while (running < count && found[running] != __rz_current_thread) running++;
  return choose(what, found, count, running);
}

/* A thread that holds locks keeps those from beginning that would run on its stack. */
void __rz_begin_threads(void) {
  if (!has_stacks && __rz_current_thread->locks == 0) while (call_pending_thread());
}

static void point(enum __rz_choice what) {
  if (!has_stacks) return;
  if (first_deadline != __RZ_NEVER) {
    __rz_advance_clock(__rz_modelled_time() + (what == __RZ_CHOOSE_OTHER ? OF_YIELD : OF_POINT));
    if (first_deadline <= __rz_modelled_time()) end_late_waits();
  }
  switch_to(next_thread(what));
}

void __rz_point(void) {
  if (!__rz_has_threads) return;
  point(__RZ_CHOOSE_NEXT);
}

void __rz_yield(void) {
  if (!__rz_has_threads) return;
  point(__RZ_CHOOSE_OTHER);
}

/* What instrumented code calls before an atomic operation, and now and then in a loop. */
void __rz_thread_point(void) { __rz_point(); }
void __rz_thread_yield(void) { __rz_yield(); }

/* ---------------------------------------------------------------------------------------- waits */

int __rz_block(enum __rz_waiting what, const void *object, pthread_t holder, int64_t deadline) {
  struct __rz_thread *self = __rz_current_thread;
  const struct __rz_thread *holding = holder ? __rz_find_thread(holder) : 0;
  self->waiting = what, self->holder = holder;
  self->awaited = object, self->deadline = deadline, self->is_late = 0;
  if (deadline < first_deadline) first_deadline = deadline;
  self->phase = __RZ_WAITING;
  if (!has_stacks) {
    while (self->phase == __RZ_WAITING && call_pending_thread());
    if (self->phase == __RZ_RUNNABLE) return 0;
    if (deadline == __RZ_NEVER) __rz_wait_in_vain();
    __rz_advance_clock(deadline);
    set_runnable(self);
    return ETIMEDOUT;
  }
  __rz_thread_waits(what, object, holding ? holding->handle : ~0u);
  switch_to(next_thread(__RZ_CHOOSE_NEXT));
  __rz_thread_waits(__RZ_WAITS_FOR_NOTHING, 0, ~0u);
  return self->is_late ? ETIMEDOUT : 0;
}

static unsigned waiters(const void *object) {
  unsigned count = 0;
  for (struct __rz_thread *thread = all_threads(); thread && count < MOST_THREADS; thread = thread->next) {
    if (thread->phase == __RZ_WAITING && thread->awaited == object) found[count++] = thread;
  }
  return count;
}

void __rz_wake_all(const void *object) {
  if (!__rz_has_threads) return;
  for (struct __rz_thread *thread = all_threads(); thread; thread = thread->next) {
    if (thread->phase == __RZ_WAITING && thread->awaited == object) set_runnable(thread);
  }
}

void __rz_wake_one(const void *object) {
  if (!__rz_has_threads) return;
  const unsigned count = waiters(object);
  if (count > 0) set_runnable(choose(__RZ_CHOOSE_WAITER, found, count, count));
}

int64_t __rz_deadline(clockid_t clock, const struct timespec *moment) {
  struct timespec now;
  if (clock_gettime(clock, &now) != 0) return __rz_modelled_time();
  const int64_t limit = INT64_MAX / NANOSECONDS / 4;
  int64_t seconds = moment->tv_sec - now.tv_sec;
  if (seconds > limit) seconds = limit;
  const int64_t left = seconds < -limit ? 0 : seconds * NANOSECONDS + (moment->tv_nsec - now.tv_nsec);
  return __rz_modelled_time() + (left > 0 ? left : 0);
}

/* The thread has ended: another goes on, and this stack is never used again. */
_Noreturn void __rz_leave_thread(void) {
  struct __rz_thread *next = next_thread(__RZ_CHOOSE_NEXT);
  __rz_current_thread = next;
  __rz_thread_end(next->handle);
}
