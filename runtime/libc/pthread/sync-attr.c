/* Attributes of mutexes, condition variables, read-write locks and barriers. */
#include "thread-state.h"

#include <errno.h>

static int set_shared(int *field, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) return EINVAL;
  *field = shared;
  return 0;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attr) {
  *attr = (pthread_mutexattr_t){0};
  return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attr) {
  (void)attr;
  return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attr, int *restrict type) {
  *type = attr->__type;
  return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int type) {
  if (type < PTHREAD_MUTEX_NORMAL || type > PTHREAD_MUTEX_ADAPTIVE_NP) return EINVAL;
  attr->__type = type;
  return 0;
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *restrict attr, int *restrict shared) {
  *shared = attr->__shared;
  return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attr, int shared) {
  return set_shared(&attr->__shared, shared);
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *restrict attr, int *restrict protocol) {
  *protocol = attr->__protocol;
  return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attr, int protocol) {
  if (protocol < PTHREAD_PRIO_NONE || protocol > PTHREAD_PRIO_PROTECT) return EINVAL;
  attr->__protocol = protocol;
  return 0;
}

int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *restrict attr, int *restrict ceiling) {
  *ceiling = attr->__ceiling;
  return 0;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attr, int ceiling) {
  attr->__ceiling = ceiling;
  return 0;
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *restrict attr, int *restrict robust) {
  *robust = attr->__robust;
  return 0;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int robust) {
  if (robust != PTHREAD_MUTEX_STALLED && robust != PTHREAD_MUTEX_ROBUST) return EINVAL;
  attr->__robust = robust;
  return 0;
}

int pthread_condattr_init(pthread_condattr_t *attr) {
  *attr = (pthread_condattr_t){0};
  return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attr) {
  (void)attr;
  return 0;
}

int pthread_condattr_getclock(const pthread_condattr_t *restrict attr, clockid_t *restrict clock) {
  *clock = attr->__clock;
  return 0;
}

int pthread_condattr_setclock(pthread_condattr_t *attr, clockid_t clock) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  attr->__clock = clock;
  return 0;
}

int pthread_condattr_getpshared(const pthread_condattr_t *restrict attr, int *restrict shared) {
  *shared = attr->__shared;
  return 0;
}

int pthread_condattr_setpshared(pthread_condattr_t *attr, int shared) {
  return set_shared(&attr->__shared, shared);
}

int pthread_rwlockattr_init(pthread_rwlockattr_t *attr) {
  *attr = (pthread_rwlockattr_t){0};
  return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attr) {
  (void)attr;
  return 0;
}

int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *restrict attr, int *restrict shared) {
  *shared = attr->__shared;
  return 0;
}

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attr, int shared) {
  return set_shared(&attr->__shared, shared);
}

int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *restrict attr, int *restrict kind) {
  *kind = attr->__kind;
  return 0;
}

int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attr, int kind) {
  if (kind < PTHREAD_RWLOCK_PREFER_READER_NP || kind > PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) return EINVAL;
  attr->__kind = kind;
  return 0;
}

int pthread_barrierattr_init(pthread_barrierattr_t *attr) {
  *attr = (pthread_barrierattr_t){0};
  return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attr) {
  (void)attr;
  return 0;
}

int pthread_barrierattr_getpshared(const pthread_barrierattr_t *restrict attr, int *restrict shared) {
  *shared = attr->__shared;
  return 0;
}

int pthread_barrierattr_setpshared(pthread_barrierattr_t *attr, int shared) {
  return set_shared(&attr->__shared, shared);
}
