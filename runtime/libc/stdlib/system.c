/* system: there is no command processor. */
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "unsupported.h"

int system(const char *command) {
  if (!command) return 0;
  __rz_range_output(command, strlen(command) + 1);
  UNSUPPORTED("system", ONE_PROCESS);
}
