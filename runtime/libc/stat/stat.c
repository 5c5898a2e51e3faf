#include <sys/stat.h>

#include <fcntl.h>
#include <string.h>

#include "engine.h"
#include "fd.h"
#include "host.h"
#include "path.h"
#include "result.h"

#define NANOSECONDS 1000000000

static struct timespec time_of(int64_t nanoseconds) {
  struct timespec time = {nanoseconds / NANOSECONDS, nanoseconds % NANOSECONDS};
  if (time.tv_nsec < 0) {
    time.tv_sec--;
    time.tv_nsec += NANOSECONDS;
  }
  return time;
}

static int convert(int result, const struct __host_stat *from, struct stat *out) {
  if (result < 0) return __rz_error(-result);
  *out = (struct stat){
      .st_dev = from->device,
      .st_ino = from->inode,
      .st_nlink = from->links,
      .st_mode = from->mode,
      .st_uid = 1000,
      .st_gid = 1000,
      .st_rdev = from->special,
      .st_size = from->size,
      .st_blksize = 4096,
      .st_blocks = (from->size + 511) / 512,
      .st_atim = time_of(from->accessed),
      .st_mtim = time_of(from->modified),
      .st_ctim = time_of(from->changed),
  };
  return 0;
}

static int stat_path(const char *path, int follow, struct stat *out) {
  struct __host_stat host = {0};
  int result = __host_stat(path, strlen(path), follow, &host);
  return convert(result, &host, out);
}

int stat(const char *restrict path, struct stat *restrict out) { return stat_path(path, 1, out); }

int lstat(const char *restrict path, struct stat *restrict out) { return stat_path(path, 0, out); }

int fstat(int fd, struct stat *out) {
  struct __rz_open_file *file = __rz_fd_file(fd);
  struct __host_stat host = {0};
  if (!file) return -1;
  if (!file->functions) {
    int result = __host_fstat(file->handle, &host);
    return convert(result, &host, out);
  }
  host.mode = file->functions->type | 0600;
  host.links = 1;
  return convert(0, &host, out);
}

int fstatat(int folder, const char *restrict path, struct stat *restrict out, int flags) {
  char buffer[PATH_MAX];
  if (*path == 0 && (flags & AT_EMPTY_PATH)) return folder == AT_FDCWD ? stat(".", out) : fstat(folder, out);
  path = __rz_path_at(folder, path, buffer);
  return path ? stat_path(path, !(flags & AT_SYMLINK_NOFOLLOW), out) : -1;
}
