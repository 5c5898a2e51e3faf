#ifndef _SYS_VFS_H
#define _SYS_VFS_H 1

#include <sys/statvfs.h>

#ifdef __cplusplus
extern "C" {
#endif

struct statfs {
  long f_type, f_bsize;
  unsigned long f_blocks, f_bfree, f_bavail, f_files, f_ffree;
  long f_namelen, f_frsize, f_flags;
};

int statfs(const char *path, struct statfs *buffer);
int fstatfs(int fd, struct statfs *buffer);

#ifdef __cplusplus
}
#endif

#endif
