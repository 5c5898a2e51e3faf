/* Advice, room in advance, and writing a part to the disk. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "fd.h"
#include "result.h"

int posix_fadvise(int fd, off_t offset, off_t size, int advice) {
  (void)offset, (void)size, (void)advice;
  return __rz_fd_file(fd) ? 0 : EBADF;
}

/* Makes the file at least offset + size long. */
static int extend(int fd, off_t offset, off_t size) {
  struct stat stat;
  if (offset < 0 || size <= 0) return EINVAL;
  if (fstat(fd, &stat) < 0) return errno;
  if (stat.st_size >= offset + size) return 0;
  return ftruncate(fd, offset + size) < 0 ? errno : 0;
}

int posix_fallocate(int fd, off_t offset, off_t size) {
  int saved = errno;
  int result = extend(fd, offset, size);
  errno = saved;
  return result;
}

int fallocate(int fd, int mode, off_t offset, off_t size) {
  if (mode != 0) return __rz_error(EOPNOTSUPP);
  int result = extend(fd, offset, size);
  return result ? __rz_error(result) : 0;
}

ssize_t readahead(int fd, off_t offset, size_t n) {
  (void)offset, (void)n;
  return __rz_fd_file(fd) ? 0 : -1;
}

int sync_file_range(int fd, off_t offset, off_t size, unsigned flags) {
  (void)offset, (void)size, (void)flags;
  return fdatasync(fd);
}
