/*
 * Shared memory by name: there is no other process to share it with. memfd_create is a file without
 * a name.
 */
#include <fcntl.h>
#include <sys/mman.h>

#include "given.h"
#include "result.h"

int shm_open(const char *name, int flags, mode_t mode) {
  (void)flags, (void)mode;
  __rz_given_text(name);
  return __rz_error(ENOSYS);
}

int shm_unlink(const char *name) {
  __rz_given_text(name);
  return __rz_error(ENOSYS);
}

int memfd_create(const char *name, unsigned flags) {
  (void)flags;
  __rz_given_text(name);
  return open(".", O_TMPFILE | O_RDWR, 0600);
}
