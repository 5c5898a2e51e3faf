/* sys/ipc.h: see unsupported.h. */
#include <sys/ipc.h>

#include "unsupported.h"

key_t ftok(const char *path, int project) {
  (void)path, (void)project;
  UNSUPPORTED("ftok", NO_KERNEL);
}
