/* sys/xattr.h: see unsupported.h. */
#include <sys/xattr.h>

#include "unsupported.h"

ssize_t getxattr(const char *path, const char *name, void *value, size_t size) {
  (void)path, (void)name, (void)value, (void)size;
  UNSUPPORTED("getxattr", NO_KERNEL);
}

ssize_t listxattr(const char *path, char *list, size_t size) {
  (void)path, (void)list, (void)size;
  UNSUPPORTED("listxattr", NO_KERNEL);
}

int setxattr(const char *path, const char *name, const void *value, size_t size, int flags) {
  (void)path, (void)name, (void)value, (void)size, (void)flags;
  UNSUPPORTED("setxattr", NO_KERNEL);
}

int removexattr(const char *path, const char *name) {
  (void)path, (void)name;
  UNSUPPORTED("removexattr", NO_KERNEL);
}
