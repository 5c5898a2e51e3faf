/* There are no other processes. */
#include <errno.h>
#include <stdio.h>

#include "result.h"
#include "unsupported.h"

FILE *popen(const char *command, const char *mode) {
  (void)command, (void)mode;
  UNSUPPORTED("popen", ONE_PROCESS);
}

int pclose(FILE *stream) {
  (void)stream;
  return __rz_error(ECHILD);
}
