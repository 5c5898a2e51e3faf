/*
 * Threads and their scheduling states.
 *
 * One thread runs at a time, until a scheduling point: every operation on a lock, a condition, a
 * semaphore, an atomic or a similar object. There the engine may choose another thread
 * (thread-engine.h). A thread waits for an object and is woken by a change of the object; it then
 * checks its condition again. Time is modelled: it passes when no thread can run, and a little at
 * every scheduling point, so that a sleeping thread wakes up while another one spins.
 *
 *          RUNNABLE ──__rz_block──▶ WAITING ──__rz_wake, or its deadline──▶ RUNNABLE ──▶ ENDED
 *
 * If the engine has only one stack, a new thread is called on top of its creator's and runs to its
 * end before the creator continues. A creator that holds a lock continues first; the thread begins
 * when it releases the last one, or waits. A wait that only a thread further down the stack could
 * end is reported as unsupported.
 */
#ifndef RZ_THREAD_STATE_H
#define RZ_THREAD_STATE_H

#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>

#include "thread-engine.h"

enum __rz_thread_phase { __RZ_RUNNABLE, __RZ_WAITING, __RZ_ENDED };

/* The order is that of `waits` in report.c, and of src/monitor/run/thread-tables.ts. */
enum __rz_waiting {
  __RZ_WAITS_FOR_NOTHING,
  __RZ_WAITS_FOR_MUTEX,
  __RZ_WAITS_FOR_OWN_MUTEX,
  __RZ_WAITS_FOR_CONDITION,
  __RZ_WAITS_TO_READ,
  __RZ_WAITS_TO_WRITE,
  __RZ_WAITS_FOR_READERS,
  __RZ_WAITS_AT_BARRIER,
  __RZ_WAITS_FOR_SEMAPHORE,
  __RZ_WAITS_FOR_SPIN_LOCK,
  __RZ_WAITS_FOR_ONCE,
  __RZ_WAITS_FOR_THREAD,
  __RZ_WAITS_FOR_TIME,
  __RZ_WAITS_FOR_ALL_THREADS,
  __RZ_WAITS_FOR_PIPE,
};

#define __RZ_NEVER INT64_MAX

struct __rz_thread {
  pthread_t id;                   /* 1 is main; numbers are not used again */
  /* the engine's; 0 for main, and for a thread on its creator's stack */
  unsigned handle;
  enum __rz_thread_phase phase;
  struct __rz_thread *next;       /* in the list of all threads that are not yet joined, by id */
  struct __rz_thread *creator;
  void *(*start)(void *);         /* what a thread that has not begun will do; otherwise null */
  void *argument;
  unsigned locks;                 /* that it holds */
  const void *awaited;            /* the object that it waits for */
  enum __rz_waiting waiting;
  pthread_t holder;               /* of what it waits for, or 0 */
  int64_t deadline;               /* in modelled nanoseconds; __RZ_NEVER */
  int is_late;                    /* the deadline ended the wait */
  int error;                      /* errno, while others run */
  int is_detached;
  int cancel_disabled;
  int cancel_asynchronous;
  int cancel_pending;
  void *result;
  struct __rz_cleanup *cleanups;  /* innermost first */
  jmp_buf on_exit;                /* where pthread_exit continues */
  const void *values[PTHREAD_KEYS_MAX];
  char name[16];
};

extern struct __rz_thread *__rz_current_thread;
/* Whether there are other threads. Scheduling points of a single thread only test this. */
extern int __rz_has_threads;

/* The thread with this number, if it exists and is not yet joined or gone. */
struct __rz_thread *__rz_find_thread(pthread_t id);

/* A scheduling point before an operation on the object; and one of a thread that yields. */
void __rz_point(enum __rz_operation what, const void *object);
void __rz_yield(void);
/*
 * Scheduling points only while schedules are explored: the following operation is rarely visible to
 * others.
 */
void __rz_rare_point(enum __rz_operation what, const void *object, const void *second);

/* With one stack only: lets pending threads begin, unless the running one holds a lock. */
void __rz_begin_threads(void);
/* A thread has its own stack: from now on there are choices. */
void __rz_thread_has_stack(void);

/*
 * The running thread waits for the object, which `holder` holds, or 0. Returns 0 when it was woken,
 * and should check again, or ETIMEDOUT. A wait that nothing can end does not return.
 */
int __rz_block(enum __rz_waiting what, const void *object, pthread_t holder, int64_t deadline);
/* Wakes the threads that wait for the object: all, or one that the engine chooses. */
void __rz_wake_all(const void *object);
void __rz_wake_one(const void *object);

/* Modelled nanoseconds until a moment of a clock, as a deadline for __rz_block. */
int64_t __rz_deadline(clockid_t clock, const struct timespec *moment);

/* pthread_mutex_unlock without a scheduling point, for waits that release a mutex. */
int __rz_give_up_mutex(pthread_mutex_t *mutex);

/* Set by pthread_create: calls a thread on top of this one's stack. */
extern void (*__rz_call_thread)(struct __rz_thread *thread);

/*
 * Runs the destructors of the thread's keys; lives with the keys, and is set by the first
 * pthread_key_create.
 */
extern void (*__rz_run_key_destructors)(struct __rz_thread *thread);

/* The running thread waits forever: a deadlock, or something that one stack does not support. */
_Noreturn void __rz_wait_in_vain(void);

/* The program uses an object in a way that POSIX leaves undefined, such as a destroyed mutex. */
_Noreturn void __rz_thread_misuse(const char *what);

/* Switches to another thread forever. */
_Noreturn void __rz_leave_thread(void);

/*
 * Cancels the running thread if that was requested; the second lives with pthread_cancel, which
 * sets it.
 */
void __rz_cancellation_point(void);
extern void (*__rz_cancel_thread)(void);

#define __RZ_ALIVE 0
#define __RZ_DESTROYED 0x0dead

#endif
