/*
 * The interface between threads and the engine: stacks to switch between, scheduling choices, and
 * notifications of the events that order accesses.
 *
 * The library knows which threads may run (scheduler.c). The engine chooses one of them, by a seed,
 * a schedule or a search. The engine identifies a thread by its handle; that of main is 0.
 *
 * An engine with one stack only makes no threads: __rz_thread_new returns __RZ_NO_THREADS, and the
 * other functions need not do anything.
 *
 * An engine that explores schedules has a choice at every operation, even if only one thread can
 * run or a lock is released, and decides when a wait with a deadline ends. A run that follows such
 * a schedule does the same, so that both count the same choices.
 */
#ifndef RZ_THREAD_ENGINE_H
#define RZ_THREAD_ENGINE_H

#include "engine.h"

#define __RZ_NO_THREADS 0u
#define __RZ_TOO_MANY_THREADS 0xffffffffu

/* The kind of a choice. The numbers are those of src/monitor/run/thread-tables.ts. */
enum __rz_choice { __RZ_CHOOSE_NEXT, __RZ_CHOOSE_OTHER, __RZ_CHOOSE_WAITER };

/*
 * The next visible operation of a thread: operations without a common object commute. The numbers
 * are those of src/explore/state/path-threads.ts.
 */
enum __rz_operation {
  __RZ_DOES_NOTHING,  /* it begins, continues after a wait, or yields */
  __RZ_READS,
  __RZ_WRITES,
  __RZ_LOCKS,         /* not possible while another thread holds the lock */
  __RZ_READ_LOCKS,    /* not possible while another thread holds it exclusively */
  __RZ_UNLOCKS,
  __RZ_JOINS,         /* the object is the handle of a thread, which must end first */
  __RZ_TIMES_OUT,     /* its wait for the object ends without a wake-up */
  __RZ_EXITS,         /* ends the program */
};

/*
 * Whether the engine explores all schedules, in which case it receives the next operation of each
 * thread.
 */
int __rz_thread_explores(void) __RZ_IMPORT(__rz_thread_explores);
void __rz_thread_about(unsigned handle, enum __rz_operation what, const void *object, const void *second)
    __RZ_IMPORT(__rz_thread_about);

/*
 * A stack for the thread with this number; the first switch to it calls `begin`, which does not
 * return.
 */
unsigned __rz_thread_new(unsigned id, void (*begin)(void)) __RZ_IMPORT(__rz_thread_new);

/*
 * Chooses one of `count` threads whose handles are listed, as an index. __RZ_CHOOSE_NEXT: the
 * thread that runs now; `running` is the index of the current one, or `count` if it cannot run.
 * __RZ_CHOOSE_OTHER: the same, but the current thread has yielded. __RZ_CHOOSE_WAITER: the thread
 * that is woken.
 */
unsigned __rz_thread_choose(enum __rz_choice what, const unsigned *handles, unsigned count, unsigned running)
    __RZ_IMPORT(__rz_thread_choose);

/* Switches to another thread. Returns when this one is switched to again. */
void __rz_thread_switch(unsigned handle) __RZ_IMPORT(__rz_thread_switch);
/* The same, but this thread never returns: its stack is released. */
_Noreturn void __rz_thread_end(unsigned handle) __RZ_IMPORT(__rz_thread_end);

/* With one stack only: a thread has ended, so that its creator continues. */
void __rz_thread_returned(void) __RZ_IMPORT(__rz_thread_returned);

/* The thread has ended, and its handle is not used again. */
void __rz_thread_forget(unsigned handle) __RZ_IMPORT(__rz_thread_forget);

/* What was released for an object happens before the code after its next acquire. */
void __rz_thread_release(const void *object) __RZ_IMPORT(__rz_thread_release);
void __rz_thread_acquire(const void *object) __RZ_IMPORT(__rz_thread_acquire);
/*
 * An atomic operation on an object that no instruction can access at once: `kind` is 0 for a load,
 * 1 for a store, 2 for both; `order` has bit 0 when it acquires and bit 1 when it releases.
 */
void __rz_thread_atomic(const void *object, size_t bytes, unsigned kind, unsigned order)
    __RZ_IMPORT(__rz_thread_atomic);
/* Everything that the thread did happens before the code that follows. */
void __rz_thread_joined(unsigned handle) __RZ_IMPORT(__rz_thread_joined);

/*
 * The running thread acquires or releases a lock. `mode`: 0 releases; __RZ_ALONE or __RZ_SHARED;
 * __RZ_TRIED if it would not have waited forever.
 */
enum { __RZ_ALONE = 1, __RZ_SHARED = 2, __RZ_TRIED = 4 };
void __rz_thread_holds(const void *lock, unsigned mode) __RZ_IMPORT(__rz_thread_holds);

/*
 * The running thread is about to wait: for what (enum __rz_waiting), at which object, and for which
 * thread, or ~0u. 0 ends the wait.
 */
void __rz_thread_waits(unsigned what, const void *object, unsigned holder) __RZ_IMPORT(__rz_thread_waits);

/* All threads wait, and nothing can wake one. */
_Noreturn void __rz_thread_deadlock(void) __RZ_IMPORT(__rz_thread_deadlock);

/*
 * The program ends while this thread was neither joined nor detached; `is_running`: it has not
 * ended.
 */
void __rz_thread_left(unsigned handle, int is_running) __RZ_IMPORT(__rz_thread_left);

#endif
