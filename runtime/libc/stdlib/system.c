/* system: there is no command processor. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

int system(const char *command) {
  if (!command) return 0;
  __rz_range_output(command, strlen(command) + 1);
  errno = ENOSYS;
  return -1;
}
