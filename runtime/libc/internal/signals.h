/*
 * The signals of a single process: only signals that it raises itself, and those of its timers,
 * arrive.
 *
 * A signal is delivered synchronously, inside raise() or inside the call that unblocks it. Until
 * then it is one bit in `pending`; the value that sigqueue adds is kept with it.
 */
#ifndef RZ_SIGNALS_H
#define RZ_SIGNALS_H

#include <signal.h>

struct __rz_signals {
  struct sigaction actions[_NSIG];
  unsigned long blocked;
  unsigned long pending;
  siginfo_t pending_info[_NSIG];
  unsigned long handled; /* calls of handlers */
};

extern struct __rz_signals __rz_signals;

static inline int __rz_signal_is_valid(int signal) { return signal >= 1 && signal < _NSIG; }
static inline unsigned long __rz_signal_bit(int signal) { return 1UL << (signal - 1); }

/* Delivers it now, or makes it pending if it is blocked. */
void __rz_signal_send(const siginfo_t *info);

/* For __rz_on_broken_pipe (fd.h). */
void __rz_signal_broken_pipe(void);

/* Delivers what is pending and no longer blocked, lowest number first. */
void __rz_signal_deliver_pending(void);

/* "SIGABRT" and so on; real-time signals have no name of their own. */
const char *__rz_signal_name(int signal);

#endif
