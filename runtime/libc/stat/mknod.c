/* Files that are neither plain nor folders cannot be made. */
#include <sys/stat.h>

#include "result.h"

int mkfifo(const char *path, mode_t mode) {
  (void)path, (void)mode;
  return __rz_error(ENOSYS);
}

int mkfifoat(int folder, const char *path, mode_t mode) {
  (void)folder, (void)path, (void)mode;
  return __rz_error(ENOSYS);
}

int mknod(const char *path, mode_t mode, dev_t device) {
  (void)path, (void)mode, (void)device;
  return __rz_error(ENOSYS);
}
