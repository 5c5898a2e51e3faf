#include <sys/uio.h>

#include <limits.h>
#include <unistd.h>

#include "result.h"

/*
 * Transfers one buffer after the other, at the descriptor's position or from `offset` on. A short
 * transfer ends the call.
 */
static ssize_t transfer(int fd, const struct iovec *pieces, int count, off_t offset, int is_write) {
  ssize_t total = 0;
  if (count < 0 || count > UIO_MAXIOV) return __rz_error(EINVAL);
  for (int i = 0; i < count; i++) {
    void *base = pieces[i].iov_base;
    size_t n = pieces[i].iov_len;
    ssize_t done;
    if (n == 0) continue;
    if (offset < 0) done = is_write ? write(fd, base, n) : read(fd, base, n);
    else done = is_write ? pwrite(fd, base, n, offset + total) : pread(fd, base, n, offset + total);
    if (done < 0) return total > 0 ? total : -1;
    total += done;
    if ((size_t)done < n) break;
  }
  return total;
}

ssize_t readv(int fd, const struct iovec *pieces, int count) { return transfer(fd, pieces, count, -1, 0); }

ssize_t writev(int fd, const struct iovec *pieces, int count) { return transfer(fd, pieces, count, -1, 1); }

ssize_t preadv(int fd, const struct iovec *pieces, int count, off_t offset) {
  return offset < 0 ? __rz_error(EINVAL) : transfer(fd, pieces, count, offset, 0);
}

ssize_t pwritev(int fd, const struct iovec *pieces, int count, off_t offset) {
  return offset < 0 ? __rz_error(EINVAL) : transfer(fd, pieces, count, offset, 1);
}
