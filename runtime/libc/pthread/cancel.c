/*
 * Cancellation: a thread that waits where it can be cancelled is woken, others notice it at their
 * next cancellation point.
 */
#include "thread-state.h"

#include <errno.h>

static void cancel(void) {
  __rz_current_thread->cancel_pending = 0;
  pthread_exit(PTHREAD_CANCELED);
}

int pthread_cancel(pthread_t id) {
  struct __rz_thread *thread = __rz_find_thread(id);
  if (!thread) return ESRCH;
  __rz_cancel_thread = cancel;
  if (thread->phase == __RZ_ENDED) return 0;
  thread->cancel_pending = 1;
  const int is_at_point = thread->waiting == __RZ_WAITS_FOR_CONDITION || thread->waiting == __RZ_WAITS_FOR_SEMAPHORE ||
                          thread->waiting == __RZ_WAITS_FOR_THREAD || thread->waiting == __RZ_WAITS_FOR_TIME ||
                          thread->waiting == __RZ_WAITS_FOR_PIPE;
  if (thread->phase == __RZ_WAITING && is_at_point && !thread->cancel_disabled) {
    thread->phase = __RZ_RUNNABLE;
    thread->awaited = 0;
  }
  if (thread == __rz_current_thread && thread->cancel_asynchronous) __rz_cancellation_point();
  return 0;
}

void pthread_testcancel(void) { __rz_cancellation_point(); }

int pthread_setcancelstate(int state, int *old) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  struct __rz_thread *self = __rz_current_thread;
  if (old) *old = self->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  self->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
  if (self->cancel_asynchronous) __rz_cancellation_point();
  return 0;
}

int pthread_setcanceltype(int type, int *old) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  struct __rz_thread *self = __rz_current_thread;
  if (old) *old = self->cancel_asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  self->cancel_asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  if (self->cancel_asynchronous) __rz_cancellation_point();
  return 0;
}
