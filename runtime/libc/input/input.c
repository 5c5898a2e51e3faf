#include "input.h"

#include "engine.h"
#include "host.h"

#include <string.h>

void __rz_input(void *object, size_t bytes, const char *name) {
  __rz_range_write(object, bytes);
  __host_input(object, bytes, name, strlen(name));
}

_Noreturn void __rz_unwanted_run(void) { __rz_exit(0); }
