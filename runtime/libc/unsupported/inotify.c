/* sys/inotify.h: see unsupported.h. */
#include <sys/inotify.h>

#include "unsupported.h"

int inotify_init(void) {
  UNSUPPORTED("inotify_init", NO_KERNEL);
}

int inotify_init1(int flags) {
  (void)flags;
  UNSUPPORTED("inotify_init1", NO_KERNEL);
}

int inotify_add_watch(int fd, const char *path, uint32_t mask) {
  (void)fd, (void)path, (void)mask;
  UNSUPPORTED("inotify_add_watch", NO_KERNEL);
}

int inotify_rm_watch(int fd, int watch) {
  (void)fd, (void)watch;
  UNSUPPORTED("inotify_rm_watch", NO_KERNEL);
}
