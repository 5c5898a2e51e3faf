/* statfs: the values of statvfs in another structure. */
#include <string.h>
#include <sys/vfs.h>

static int translated(int outcome, const struct statvfs *from, struct statfs *to) {
  if (outcome < 0) return outcome;
  memset(to, 0, sizeof *to);
  to->f_bsize = (long)from->f_bsize;
  to->f_frsize = (long)from->f_frsize;
  to->f_blocks = from->f_blocks;
  to->f_bfree = from->f_bfree;
  to->f_bavail = from->f_bavail;
  to->f_files = from->f_files;
  to->f_ffree = from->f_ffree;
  to->f_namelen = (long)from->f_namemax;
  return 0;
}

int statfs(const char *path, struct statfs *buffer) {
  struct statvfs found;
  return translated(statvfs(path, &found), &found, buffer);
}

int fstatfs(int fd, struct statfs *buffer) {
  struct statvfs found;
  return translated(fstatvfs(fd, &found), &found, buffer);
}
