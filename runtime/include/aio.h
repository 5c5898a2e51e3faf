/* <aio.h>: reading and writing that is finished when the call returns. */
#ifndef _AIO_H
#define _AIO_H

#include <signal.h>
#include <sys/types.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AIO_CANCELED 0
#define AIO_NOTCANCELED 1
#define AIO_ALLDONE 2
#define LIO_READ 0
#define LIO_WRITE 1
#define LIO_NOP 2
#define LIO_WAIT 0
#define LIO_NOWAIT 1

struct aiocb {
  int aio_fildes;
  int aio_lio_opcode;
  int aio_reqprio;
  volatile void *aio_buf;
  size_t aio_nbytes;
  struct sigevent aio_sigevent;
  off_t aio_offset;
  int __error;
  ssize_t __result;
};

int aio_read(struct aiocb *__request);
int aio_write(struct aiocb *__request);
int aio_fsync(int __operation, struct aiocb *__request);
int aio_error(const struct aiocb *__request);
ssize_t aio_return(struct aiocb *__request);
int aio_cancel(int __fd, struct aiocb *__request);
int aio_suspend(const struct aiocb *const __requests[], int __count, const struct timespec *__restrict __timeout);
int lio_listio(int __mode, struct aiocb *const __requests[], int __count, struct sigevent *__restrict __event);

#ifdef __cplusplus
}
#endif

#endif
