/* system: runs a command in the host's shell if programs may be started. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "children.h"
#include "engine.h"

int system(const char *command) {
  if (!command) return 0;
  __rz_range_output(command, strlen(command) + 1);
  return RUN_SHELL("system", command, ((int[]){0, 1, 2}));
}
