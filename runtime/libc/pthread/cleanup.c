/* pthread_cleanup_push and pthread_cleanup_pop: macros around these. */
#include "thread-state.h"

void __rz_cleanup_push(struct __rz_cleanup *frame, void (*routine)(void *), void *argument) {
  frame->__routine = routine;
  frame->__argument = argument;
  frame->__outer = __rz_current_thread->cleanups;
  __rz_current_thread->cleanups = frame;
}

void __rz_cleanup_pop(struct __rz_cleanup *frame, int execute) {
  __rz_current_thread->cleanups = frame->__outer;
  if (execute) frame->__routine(frame->__argument);
}
