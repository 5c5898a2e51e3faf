/* <sys/uio.h>: reading and writing several pieces of memory at once */
#ifndef _SYS_UIO_H
#define _SYS_UIO_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define UIO_MAXIOV 1024

struct iovec {
  void *iov_base;
  size_t iov_len;
};

ssize_t readv(int fd, const struct iovec *pieces, int count);
ssize_t writev(int fd, const struct iovec *pieces, int count);
ssize_t preadv(int fd, const struct iovec *pieces, int count, off_t offset);
ssize_t pwritev(int fd, const struct iovec *pieces, int count, off_t offset);

#ifdef __cplusplus
}
#endif

#endif
