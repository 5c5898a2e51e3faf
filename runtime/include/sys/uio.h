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

ssize_t readv(int __fd, const struct iovec *__pieces, int __count);
ssize_t writev(int __fd, const struct iovec *__pieces, int __count);
ssize_t preadv(int __fd, const struct iovec *__pieces, int __count, off_t __offset);
ssize_t pwritev(int __fd, const struct iovec *__pieces, int __count, off_t __offset);

#ifdef __cplusplus
}
#endif

#endif
