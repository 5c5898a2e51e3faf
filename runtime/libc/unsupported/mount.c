/* sys/mount.h: see unsupported.h. */
#include <sys/mount.h>

#include "unsupported.h"

int mount(const char *source, const char *target, const char *type, unsigned long flags, const void *data) {
  (void)source, (void)target, (void)type, (void)flags, (void)data;
  UNSUPPORTED("mount", NO_KERNEL);
}

int umount(const char *target) {
  (void)target;
  UNSUPPORTED("umount", NO_KERNEL);
}

int umount2(const char *target, int flags) {
  (void)target, (void)flags;
  UNSUPPORTED("umount2", NO_KERNEL);
}
