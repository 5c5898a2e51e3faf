/* Files that are neither plain nor folders cannot be made. */
#include <sys/stat.h>

#include "given.h"
#include "result.h"

int mkfifo(const char *path, mode_t mode) {
  (void)mode;
  __rz_given_text(path);
  return __rz_error(ENOSYS);
}

int mkfifoat(int folder, const char *path, mode_t mode) {
  (void)folder, (void)mode;
  __rz_given_text(path);
  return __rz_error(ENOSYS);
}

int mknodat(int folder, const char *path, mode_t mode, dev_t device) {
  (void)folder, (void)mode, (void)device;
  __rz_given_text(path);
  return __rz_error(ENOSYS);
}

int mknod(const char *path, mode_t mode, dev_t device) {
  (void)mode, (void)device;
  __rz_given_text(path);
  return __rz_error(ENOSYS);
}
