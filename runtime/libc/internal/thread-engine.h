/*
 * What threads ask of the engine that runs them: stacks to switch between, choices, and ears for
 * what orders accesses.
 *
 * The library schedules: it knows who may run (scheduler.c). The engine decides which of them does,
 * so that a seed, a schedule or a search is behind every choice. A thread is known to the engine by
 * its handle; that of main is 0.
 *
 * An engine with one stack only makes no threads: __rz_thread_new returns __RZ_NO_THREADS, and the
 * other functions do nothing.
 *
 * An engine that explores schedules gets a choice at every operation, also where one thread only
 * can run and where a lock is given up, and decides when a wait with a deadline ends. A run that
 * follows such a schedule does the same, so that both count choices alike.
 */
#ifndef RZ_THREAD_ENGINE_H
#define RZ_THREAD_ENGINE_H

#include "engine.h"

#define __RZ_NO_THREADS 0u
#define __RZ_TOO_MANY_THREADS 0xffffffffu

/* What a choice is about. The numbers are those of src/monitor/run/thread-tables.ts. */
enum __rz_choice { __RZ_CHOOSE_NEXT, __RZ_CHOOSE_OTHER, __RZ_CHOOSE_WAITER };

/*
 * What a thread does next, as far as others may notice: two threads that touch no object in common
 * may go in either order. The numbers are those of src/explore/state/path-threads.ts.
 */
enum __rz_operation {
  __RZ_DOES_NOTHING,  /* it begins, goes on after a wait, or lets others run */
  __RZ_READS,
  __RZ_WRITES,
  __RZ_LOCKS,         /* cannot be done while another thread holds the lock */
  __RZ_READ_LOCKS,    /* nor while another holds it alone */
  __RZ_UNLOCKS,
  __RZ_JOINS,         /* the object is the handle of a thread, which has to end first */
  __RZ_TIMES_OUT,     /* its wait for the object ends though it was not woken */
  __RZ_EXITS,         /* the program */
};

/* Does the engine try all schedules? Then it is told what each thread will do. */
int __rz_thread_explores(void) __RZ_IMPORT(__rz_thread_explores);
void __rz_thread_about(unsigned handle, enum __rz_operation what, const void *object, const void *second)
    __RZ_IMPORT(__rz_thread_about);

/*
 * A stack for the thread with this number; the first switch to it calls `begin`, which does not
 * return.
 */
unsigned __rz_thread_new(unsigned id, void (*begin)(void)) __RZ_IMPORT(__rz_thread_new);

/*
 * One of `count` threads whose handles are listed, as an index. __RZ_CHOOSE_NEXT: who runs now,
 * `running` is the index of the one that does already or `count` when it cannot; __RZ_CHOOSE_OTHER:
 * the same, and the running one asked to let others go first; __RZ_CHOOSE_WAITER: who is woken.
 */
unsigned __rz_thread_choose(enum __rz_choice what, const unsigned *handles, unsigned count, unsigned running)
    __RZ_IMPORT(__rz_thread_choose);

/* Another thread goes on. Returns when this one is switched to again. */
void __rz_thread_switch(unsigned handle) __RZ_IMPORT(__rz_thread_switch);
/* The same for good: the stack is given back. */
_Noreturn void __rz_thread_end(unsigned handle) __RZ_IMPORT(__rz_thread_end);

/* The thread has ended, and its handle is not used again. */
void __rz_thread_forget(unsigned handle) __RZ_IMPORT(__rz_thread_forget);

/* What was released for an object happens before what follows the next acquire of it. */
void __rz_thread_release(const void *object) __RZ_IMPORT(__rz_thread_release);
void __rz_thread_acquire(const void *object) __RZ_IMPORT(__rz_thread_acquire);
/*
 * An atomic operation on an object that no instruction can access at once: `kind` is 0 for a load,
 * 1 for a store, 2 for both; `order` has bit 0 when it acquires and bit 1 when it releases.
 */
void __rz_thread_atomic(const void *object, size_t bytes, unsigned kind, unsigned order)
    __RZ_IMPORT(__rz_thread_atomic);
/* All that the thread did happens before what follows. */
void __rz_thread_joined(unsigned handle) __RZ_IMPORT(__rz_thread_joined);

/*
 * The running thread holds a lock from now on, or no longer. `mode`: 0 gives up, __RZ_ALONE or
 * __RZ_SHARED, and __RZ_TRIED where it would not have waited for ever.
 */
enum { __RZ_ALONE = 1, __RZ_SHARED = 2, __RZ_TRIED = 4 };
void __rz_thread_holds(const void *lock, unsigned mode) __RZ_IMPORT(__rz_thread_holds);

/*
 * The running thread is about to wait: for what (enum __rz_waiting), at which object, and for which
 * thread, or ~0u. 0 waits no more.
 */
void __rz_thread_waits(unsigned what, const void *object, unsigned holder) __RZ_IMPORT(__rz_thread_waits);

/* All threads wait, and nothing can end it. */
_Noreturn void __rz_thread_deadlock(void) __RZ_IMPORT(__rz_thread_deadlock);

/*
 * The program ends while this thread was neither joined nor detached; `is_running`: it has not even
 * ended.
 */
void __rz_thread_left(unsigned handle, int is_running) __RZ_IMPORT(__rz_thread_left);

#endif
