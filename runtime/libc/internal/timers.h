/*
 * Timers that send signals. Nothing runs beside the program, so an expired timer sends its signal
 * in the next call that sleeps, waits for a signal or a file, reads, writes or reads a clock.
 *
 * The functions are set when the first timer is: other programs do not contain the signals.
 */
#ifndef RZ_TIMERS_H
#define RZ_TIMERS_H

#include <stdint.h>

struct __rz_timer_functions {
  /* Sends the signals of the timers that have expired. */
  void (*send)(void);
  /* Sleeps until a handler has been called; returns what is left of the time, or 0. */
  int64_t (*sleep)(int64_t nanoseconds);
  /* Sleeps until a timer expires and sends its signal; returns 0 if none is set. */
  int (*wait)(void);
};

extern const struct __rz_timer_functions *__rz_timers;

static inline void __rz_send_of_timers(void) {
  if (__rz_timers) __rz_timers->send();
}

#endif
