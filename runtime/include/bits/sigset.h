#ifndef _BITS_SIGSET_H
#define _BITS_SIGSET_H 1

/* One bit per signal: bit (signal - 1). Signals 1..64 exist. */
typedef struct {
  unsigned long __bits;
} sigset_t;

#endif
