#include <sys/statvfs.h>

#include <sys/stat.h>

#include "fd.h"

/* Describes a large file system with much free space. */
static int describe(struct statvfs *out) {
  *out = (struct statvfs){
      .f_bsize = 4096,
      .f_frsize = 4096,
      .f_blocks = 1UL << 28,
      .f_bfree = 1UL << 27,
      .f_bavail = 1UL << 27,
      .f_files = 1UL << 24,
      .f_ffree = 1UL << 23,
      .f_favail = 1UL << 23,
      .f_namemax = 255,
  };
  return 0;
}

int statvfs(const char *restrict path, struct statvfs *restrict out) {
  struct stat ignored;
  return stat(path, &ignored) < 0 ? -1 : describe(out);
}

int fstatvfs(int fd, struct statvfs *out) { return __rz_fd_file(fd) ? describe(out) : -1; }
