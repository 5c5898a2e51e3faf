/* The attributes of a thread. None of them matters here but whether it is detached. */
#include "thread-state.h"

#include <errno.h>

#define DEFAULT_STACK_SIZE (8UL << 20)
#define PAGE 4096

int pthread_attr_init(pthread_attr_t *attr) {
  *attr = (pthread_attr_t){.__stack_size = DEFAULT_STACK_SIZE, .__guard_size = PAGE};
  return 0;
}

int pthread_attr_destroy(pthread_attr_t *attr) {
  (void)attr;
  return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attr, int *state) {
  *state = attr->__detached;
  return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attr, int state) {
  if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED) return EINVAL;
  attr->__detached = state;
  return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t *restrict attr, size_t *restrict size) {
  *size = attr->__guard_size;
  return 0;
}

int pthread_attr_setguardsize(pthread_attr_t *attr, size_t size) {
  attr->__guard_size = size;
  return 0;
}

int pthread_attr_getinheritsched(const pthread_attr_t *restrict attr, int *restrict inherit) {
  *inherit = attr->__inherit;
  return 0;
}

int pthread_attr_setinheritsched(pthread_attr_t *attr, int inherit) {
  if (inherit != PTHREAD_INHERIT_SCHED && inherit != PTHREAD_EXPLICIT_SCHED) return EINVAL;
  attr->__inherit = inherit;
  return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *restrict attr, struct sched_param *restrict param) {
  param->sched_priority = attr->__priority;
  return 0;
}

int pthread_attr_setschedparam(pthread_attr_t *restrict attr, const struct sched_param *restrict param) {
  attr->__priority = param->sched_priority;
  return 0;
}

int pthread_attr_getschedpolicy(const pthread_attr_t *restrict attr, int *restrict policy) {
  *policy = attr->__policy;
  return 0;
}

int pthread_attr_setschedpolicy(pthread_attr_t *attr, int policy) {
  if (policy != SCHED_OTHER && policy != SCHED_FIFO && policy != SCHED_RR) return EINVAL;
  attr->__policy = policy;
  return 0;
}

int pthread_attr_getscope(const pthread_attr_t *restrict attr, int *restrict scope) {
  *scope = attr->__scope;
  return 0;
}

int pthread_attr_setscope(pthread_attr_t *attr, int scope) {
  if (scope == PTHREAD_SCOPE_PROCESS) return ENOTSUP;
  if (scope != PTHREAD_SCOPE_SYSTEM) return EINVAL;
  attr->__scope = scope;
  return 0;
}

int pthread_attr_getstack(const pthread_attr_t *restrict attr, void **restrict stack, size_t *restrict size) {
  *stack = attr->__stack;
  *size = attr->__stack_size;
  return 0;
}

int pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t size) {
  if (size < PTHREAD_STACK_MIN) return EINVAL;
  attr->__stack = stack;
  attr->__stack_size = size;
  return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *restrict attr, size_t *restrict size) {
  *size = attr->__stack_size;
  return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attr, size_t size) {
  if (size < PTHREAD_STACK_MIN) return EINVAL;
  attr->__stack_size = size;
  return 0;
}

int pthread_getattr_np(pthread_t id, pthread_attr_t *attr) {
  const struct __rz_thread *thread = __rz_find_thread(id);
  if (!thread) return ESRCH;
  pthread_attr_init(attr);
  attr->__detached = thread->is_detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE;
  return 0;
}
