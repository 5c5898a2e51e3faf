/*
 * Threads of a single-threaded machine.
 *
 * pthread_create runs the new thread to its end before it returns, on top of its creator's stack.
 * So the threads that have begun and not ended form a stack: the running one on top, and below it
 * those that wait inside pthread_create. A creator that holds a mutex keeps the new thread from
 * beginning, for that may need the mutex: it begins when the creator gives up its last mutex, waits
 * for a condition or a semaphore, joins or ends.
 *
 *     main ── creates ─▶ A ── creates ─▶ B        running: B; suspended: A, main
 *
 * Consequences: a thread that has to wait can only wait in vain. If what it waits for could come
 * from a suspended thread, a real machine would go on, and the program is reported as unsupported;
 * if nobody is left who could end the wait, it is a deadlock of the program, and reported as such.
 */
#ifndef RZ_THREAD_STATE_H
#define RZ_THREAD_STATE_H

#include <pthread.h>
#include <setjmp.h>

struct __rz_thread {
  pthread_t id;                   /* 1 is main; numbers are not used again */
  struct __rz_thread *next;       /* in the list of all threads that are not yet joined */
  struct __rz_thread *creator;
  int is_running;                 /* has not ended: running, suspended or not yet begun */
  void *(*start)(void *);         /* what a thread that has not begun will do; otherwise null */
  void *argument;
  unsigned locks;                 /* mutexes that it holds */
  const struct __rz_thread *joins; /* whose end it waits for */
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

/* The thread with this number, if it exists and is not yet joined or gone. */
struct __rz_thread *__rz_find_thread(pthread_t id);

/*
 * Lets the threads begin that have not, if there are any; lives with pthread_create, which sets it.
 */
extern void (*__rz_begin_threads)(void);

/*
 * Runs the destructors of the thread's keys; lives with the keys, and is set by the first
 * pthread_key_create.
 */
extern void (*__rz_run_key_destructors)(struct __rz_thread *thread);

/*
 * The running thread waits for something that only another one could do. `owner` is the thread that
 * holds it, or 0 when any thread might. Reports a deadlock, or what a single-threaded machine
 * cannot do.
 */
_Noreturn void __rz_wait_in_vain(const char *what, pthread_t owner);

/* The program uses an object in a way that POSIX leaves undefined, such as a destroyed mutex. */
_Noreturn void __rz_thread_misuse(const char *what);

#define __RZ_ALIVE 0
#define __RZ_DESTROYED 0x0dead

#endif
