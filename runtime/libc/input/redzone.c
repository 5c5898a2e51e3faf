/* <redzone.h> in a concrete run. */
#include "engine.h"
#include "input.h"

#include <redzone.h>

void redzone_symbolic(void *object, size_t bytes, const char *name) { __rz_input(object, bytes, name); }

void redzone_assume(int condition) {
  if (!condition) __rz_unwanted_run();
}

void redzone_fail(const char *message) { __rz_abort("assertion-failure", message); }

int redzone_is_symbolic(uintptr_t value) {
  (void)value;
  return 0;
}
