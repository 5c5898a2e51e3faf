/*
 * Threads under the monitor: their stacks and the schedule; races.c tracks their accesses.
 *
 * A thread has a slot: a stack in client memory, a part of the call stack's memory, a worker of
 * Node that runs it (src/monitor/run/thread-team.ts). Slot 0 is main's. The slot is the library's
 * handle of the thread.
 *
 *   client memory of a program with threads         0x0000_0000  stack of main, globals, heap
 *                                                    0x1800_0000  stacks of threads, 512 KiB each
 *                                                    0x2000_0000  nothing: the race shadow ends here
 *   0x8000_0000  calls of main                                     64 MiB
 *   0x8400_0000  calls of threads, 256 KiB each                    64 MiB
 *   0x8800_0000  the schedule, as it was chosen                    16 MiB
 *   0x8900_0000  clocks, records and states of races.c            112 MiB
 *   0xa000_0000  race shadow: a word for each 4 bytes of client   512 MiB
 */
#ifndef RZ_THREADS_H
#define RZ_THREADS_H

#include "shadow.h"

#define THREAD_SLOTS 256u
#define THREAD_STACKS 0x18000000u
#define THREAD_STACK_BYTES 0x80000u
#define THREAD_CALLS 0x84000000u
#define THREAD_CALLS_BYTES 0x40000u
#define THREADS_CLIENT_END 0x20000000u

#define MOST_LOCKS 32u
/* Bits of a lock's mode, from the library: shared with other readers, acquired without waiting. */
#define LOCK_SHARED 2u
#define LOCK_TRIED 4u

struct held_lock {
  u32 lock, mode, stack;
};

struct thread {
  u32 id;        /* the library's number; 0 when the slot is free */
  u32 creator;   /* its id */
  u32 created;   /* the stack of pthread_create */
  u32 depth;     /* __rz_depth while it does not run */
  u32 lowest_local;
  u32 waits, waits_at, waits_for; /* enum __rz_waiting, the object, the slot of the holder or ~0 */
  u32 lock_count;
  u32 is_ended, is_forgotten;
  u32 here, here_depth; /* the site of its last atomic operation or long loop, and __rz_depth then */
  struct held_lock locks[MOST_LOCKS];
  void (*begin)(void);
};

/* Exported for TypeScript. */
extern struct thread __rz_threads[THREAD_SLOTS];
extern u32 __rz_thread;       /* the slot that runs */
extern u32 __rz_thread_count; /* slots that were ever used */

/* The parts of races.c that threads use. */
extern u32 __rz_races_on;
void __rz_race_created(u32 parent, u32 child);
void __rz_race_new_slice(void);

/* lock-order.c: the thread acquires a lock for which it waited, or would have. */
void __rz_lock_taken(const struct thread *thread, u32 lock, u32 mode, u32 stack);
void __rz_span_created(u32 parent, u32 child);
void __rz_span_joined(u32 parent, u32 child);

#endif
