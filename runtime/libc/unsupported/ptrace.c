/* sys/ptrace.h: see unsupported.h. */
#include <sys/ptrace.h>

#include "unsupported.h"

long ptrace(int request, ...) {
  (void)request;
  UNSUPPORTED("ptrace", ONE_PROCESS);
}
