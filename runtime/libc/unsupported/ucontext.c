/* ucontext.h: see unsupported.h. */
#include <ucontext.h>

#include "unsupported.h"

int getcontext(ucontext_t *context) {
  (void)context;
  UNSUPPORTED("getcontext", "stacks cannot be exchanged");
}

int setcontext(const ucontext_t *context) {
  (void)context;
  UNSUPPORTED("setcontext", "stacks cannot be exchanged");
}

void makecontext(ucontext_t *context, void (*start)(void), int count, ...) {
  (void)context, (void)start, (void)count;
  UNSUPPORTED("makecontext", "stacks cannot be exchanged");
}

int swapcontext(ucontext_t *restrict old, const ucontext_t *restrict context) {
  (void)old, (void)context;
  UNSUPPORTED("swapcontext", "stacks cannot be exchanged");
}
