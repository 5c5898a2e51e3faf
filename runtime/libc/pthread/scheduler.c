/* Chooses the thread that runs next: see thread-state.h. */
#include "thread-state.h"

#include <errno.h>

#include "clock-state.h"

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
/* Whether a thread has its own stack, and whether all schedules are explored. */
static int has_stacks, explores;

void __rz_thread_has_stack(void) {
  if (!has_stacks) explores = __rz_thread_explores();
  has_stacks = 1;
}

static struct __rz_thread *choose(enum __rz_choice what, struct __rz_thread **among, unsigned count, unsigned running) {
  if (count == 1 && (!explores || what == __RZ_CHOOSE_WAITER)) return among[0];
  for (unsigned i = 0; i < count; i++) handles[i] = among[i]->handle;
  return among[__rz_thread_choose(what, handles, count, running)];
}

static unsigned runnable(void) {
  unsigned count = 0;
  for (struct __rz_thread *thread = all_threads(); thread && count < MOST_THREADS; thread = thread->next) {
    const int has_stack = thread->id == 1 || thread->handle != 0;
    const int is_timed = explores && thread->phase == __RZ_WAITING && thread->deadline != __RZ_NEVER;
    if (has_stack && (thread->phase == __RZ_RUNNABLE || is_timed)) found[count++] = thread;
  }
  return count;
}

/* The next operation of a woken thread: most check the object again. */
static enum __rz_operation after_wait(enum __rz_waiting what) {
  switch (what) {
    case __RZ_WAITS_FOR_MUTEX:
    case __RZ_WAITS_FOR_OWN_MUTEX:
    case __RZ_WAITS_TO_WRITE:
    case __RZ_WAITS_FOR_READERS:
    case __RZ_WAITS_FOR_SPIN_LOCK: return __RZ_LOCKS;
    case __RZ_WAITS_TO_READ: return __RZ_READ_LOCKS;
    case __RZ_WAITS_FOR_SEMAPHORE:
    case __RZ_WAITS_FOR_PIPE:
    case __RZ_WAITS_FOR_ONCE: return __RZ_WRITES;
    default: return __RZ_DOES_NOTHING;
  }
}

static void set_runnable(struct __rz_thread *thread) {
  if (explores) __rz_thread_about(thread->handle, after_wait(thread->waiting), thread->awaited, 0);
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

/* The engine has chosen that its wait ends. */
static void end_wait(struct __rz_thread *thread) {
  if (thread->deadline > __rz_modelled_time()) __rz_advance_clock(thread->deadline);
  thread->is_late = 1;
  set_runnable(thread);
}

static void switch_to(struct __rz_thread *thread) {
  struct __rz_thread *self = __rz_current_thread;
  if (thread->phase == __RZ_WAITING) end_wait(thread);
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

static void point(enum __rz_choice what, enum __rz_operation operation, const void *object, const void *second) {
  if (!has_stacks) return;
  if (explores) {
    __rz_thread_about(__rz_current_thread->handle, operation, object, second);
  } else if (first_deadline != __RZ_NEVER) {
    __rz_advance_clock(__rz_modelled_time() + (what == __RZ_CHOOSE_OTHER ? OF_YIELD : OF_POINT));
    if (first_deadline <= __rz_modelled_time()) end_late_waits();
  }
  switch_to(next_thread(what));
}

void __rz_point(enum __rz_operation what, const void *object) {
  if (!__rz_has_threads) return;
  point(__RZ_CHOOSE_NEXT, what, object, 0);
}

void __rz_rare_point(enum __rz_operation what, const void *object, const void *second) {
  if (explores) point(__RZ_CHOOSE_NEXT, what, object, second);
}

void __rz_yield(void) {
  if (!__rz_has_threads) return;
  point(__RZ_CHOOSE_OTHER, __RZ_DOES_NOTHING, 0, 0);
}

/*
 * What instrumented code calls before an atomic operation, and now and then in a loop. An engine
 * that explores knows of the operation already, and of no loops.
 */
void __rz_thread_point(void) {
  if (!__rz_has_threads) return;
  if (explores) switch_to(next_thread(__RZ_CHOOSE_NEXT));
  else point(__RZ_CHOOSE_NEXT, __RZ_DOES_NOTHING, 0, 0);
}
void __rz_thread_yield(void) {
  if (!explores) __rz_yield();
}

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
  if (explores) {
    const void *noticed = what == __RZ_WAITS_FOR_TIME ? 0 : object;
    __rz_thread_about(self->handle, deadline == __RZ_NEVER ? __RZ_DOES_NOTHING : __RZ_TIMES_OUT, noticed, 0);
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

/* The thread has ended: another one continues, and this stack is never used again. */
_Noreturn void __rz_leave_thread(void) {
  struct __rz_thread *next = next_thread(__RZ_CHOOSE_NEXT);
  if (next->phase == __RZ_WAITING) end_wait(next);
  __rz_current_thread = next;
  __rz_thread_end(next->handle);
}
