/*
 * <aio.h>: each request is carried out within the call that makes it, which POSIX allows. The
 * notification follows at once.
 */
#include <aio.h>
#include <errno.h>
#include <unistd.h>

static void notify(const struct sigevent *event) {
  if (event->sigev_notify == SIGEV_SIGNAL && event->sigev_signo > 0)
    sigqueue(getpid(), event->sigev_signo, event->sigev_value);
  if (event->sigev_notify == SIGEV_THREAD) event->sigev_notify_function(event->sigev_value);
}

static int finish(struct aiocb *request, ssize_t result) {
  request->__result = result;
  request->__error = result < 0 ? errno : 0;
  notify(&request->aio_sigevent);
  return 0;
}

int aio_read(struct aiocb *request) {
  void *buffer = (void *)request->aio_buf;
  return finish(request, pread(request->aio_fildes, buffer, request->aio_nbytes, request->aio_offset));
}

int aio_write(struct aiocb *request) {
  const void *buffer = (const void *)request->aio_buf;
  return finish(request, pwrite(request->aio_fildes, buffer, request->aio_nbytes, request->aio_offset));
}

int aio_fsync(int operation, struct aiocb *request) {
  (void)operation;
  return finish(request, fsync(request->aio_fildes));
}

int aio_error(const struct aiocb *request) { return request->__error; }

ssize_t aio_return(struct aiocb *request) { return request->__result; }

int aio_cancel(int fd, struct aiocb *request) {
  (void)fd, (void)request;
  return AIO_ALLDONE;
}

int aio_suspend(const struct aiocb *const requests[], int count, const struct timespec *restrict timeout) {
  (void)requests, (void)count, (void)timeout;
  return 0;
}

int lio_listio(int mode, struct aiocb *const requests[], int count, struct sigevent *restrict event) {
  int failed = 0;
  for (int i = 0; i < count; i++) {
    struct aiocb *request = requests[i];
    if (!request || request->aio_lio_opcode == LIO_NOP) continue;
    if (request->aio_lio_opcode == LIO_READ) aio_read(request);
    else aio_write(request);
    failed |= request->__error != 0;
  }
  if (mode == LIO_NOWAIT && event) notify(event);
  if (!failed || mode == LIO_NOWAIT) return 0;
  errno = EIO;
  return -1;
}
