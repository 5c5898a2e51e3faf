#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "engine.h"
#include "fd.h"
#include "host.h"
#include "result.h"
#include "timers.h"

static ssize_t write_host(struct __rz_open_file *file, const void *from, size_t n) {
  int appends = (file->flags & O_APPEND) && !file->host_appends;
  if (appends) __host_seek(file->handle, 0, SEEK_END);
  ssize_t count = __host_write(file->handle, from, n, __HOST_CURRENT);
  if (count > 0 && __rz_file_written) {
    off_t end = __host_seek(file->handle, 0, SEEK_CUR);
    if (end >= count) __rz_file_written(file, end - count, from, (size_t)count);
  }
  return __rz_result(count);
}

void (*__rz_on_broken_pipe)(void);

ssize_t __rz_write_result(ssize_t count) {
  if (count >= 0 || errno != EPIPE) return count;
  if (!__rz_on_broken_pipe) __rz_exit(128 + SIGPIPE);
  __rz_on_broken_pipe();
  return __rz_error(EPIPE);
}

ssize_t write(int fd, const void *from, size_t n) {
  if (!__rz_fd_file(fd)) return -1;
  __rz_range_output(from, n);
  return __rz_write_checked(fd, from, n);
}

ssize_t __rz_write_checked(int fd, const void *from, size_t n) {
  __rz_send_of_timers();
  struct __rz_open_file *file = __rz_fd_file(fd);
  if (!file) return -1;
  if (!file->functions && !__rz_is_for(file, O_RDONLY)) return __rz_error(EBADF);
  if (!file->functions) return __rz_write_result(write_host(file, from, n));
  if (!file->functions->write) return __rz_error(EBADF);
  return __rz_write_result(file->functions->write(file, from, n));
}
