#ifndef _BITS_PTHREAD_TYPES_H
#define _BITS_PTHREAD_TYPES_H 1

#include <stddef.h>

/*
 * One thread runs at a time, so these objects only record who holds and who waits for what; see
 * runtime/libc/internal/thread-state.h.
 */

typedef unsigned long pthread_t;
typedef int pthread_once_t;
typedef unsigned int pthread_key_t;
typedef volatile int pthread_spinlock_t;

typedef struct {
  int __detached;
  int __scope;
  int __inherit;
  int __policy;
  int __priority;
  void *__stack;
  size_t __stack_size;
  size_t __guard_size;
} pthread_attr_t;

typedef struct {
  int __type;
  int __shared;
  int __protocol;
  int __ceiling;
  int __robust;
} pthread_mutexattr_t;

typedef struct {
  int __type;
  int __state;              /* 0 a living mutex, otherwise destroyed */
  unsigned int __count;     /* how often the owner holds it */
  int __ceiling;
  pthread_t __owner;
} pthread_mutex_t;

typedef struct {
  int __shared;
  int __clock;
} pthread_condattr_t;

typedef struct {
  int __state;
  int __clock;
} pthread_cond_t;

typedef struct {
  int __shared;
  int __kind;
} pthread_rwlockattr_t;

typedef struct {
  int __state;
  unsigned int __readers;
  pthread_t __writer;
} pthread_rwlock_t;

typedef struct {
  int __shared;
} pthread_barrierattr_t;

typedef struct {
  int __state;
  unsigned int __needed;
  unsigned int __arrived;   /* in this round */
  unsigned int __round;
} pthread_barrier_t;

#endif
