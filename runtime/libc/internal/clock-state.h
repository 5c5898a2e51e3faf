/*
 * Time in a program with threads. It is modelled, so that the same schedule gives the same run: a
 * clock is read from the host once. From then on it advances by the time that threads sleep while
 * no other thread can run, and slightly with each reading, so that a loop until some time ends.
 */
#ifndef RZ_CLOCK_STATE_H
#define RZ_CLOCK_STATE_H

#include <stdint.h>

/*
 * Both are set by the first thread that is created. The second is how a thread sleeps while others
 * run.
 */
extern int __rz_time_is_modelled;
extern void (*__rz_sleep_as_thread)(int64_t deadline);

/* Nanoseconds since the clock was read from the host. */
int64_t __rz_modelled_time(void);
/* Advances the clock at least to this time. */
void __rz_advance_clock(int64_t modelled);
/* Sleeps for this many nanoseconds, or until a timer's signal is handled; returns what is left. */
int64_t __rz_sleep(int64_t nanoseconds);
/* A clock of the host, or the model of it. */
int64_t __rz_clock(int which);
/* The same without a look at the timers (timers.h). */
void __rz_sleep_without_timers(int64_t nanoseconds);
int64_t __rz_clock_of_timers(int which);

#endif
