/*
 * Cancellation: a suspended thread notices it at its next cancellation point, the running one at
 * once.
 */
#include "thread-state.h"

#include <errno.h>

static void act_on_pending_cancel(void) {
  struct __rz_thread *self = __rz_current_thread;
  if (!self->cancel_pending || self->cancel_disabled) return;
  self->cancel_pending = 0;
  pthread_exit(PTHREAD_CANCELED);
}

int pthread_cancel(pthread_t id) {
  struct __rz_thread *thread = __rz_find_thread(id);
  if (!thread) return ESRCH;
  if (!thread->is_running) return 0;
  thread->cancel_pending = 1;
  if (thread == __rz_current_thread && thread->cancel_asynchronous) act_on_pending_cancel();
  return 0;
}

void pthread_testcancel(void) { act_on_pending_cancel(); }

int pthread_setcancelstate(int state, int *old) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  struct __rz_thread *self = __rz_current_thread;
  if (old) *old = self->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  self->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
  if (self->cancel_asynchronous) act_on_pending_cancel();
  return 0;
}

int pthread_setcanceltype(int type, int *old) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  struct __rz_thread *self = __rz_current_thread;
  if (old) *old = self->cancel_asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  self->cancel_asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  if (self->cancel_asynchronous) act_on_pending_cancel();
  return 0;
}
