/* eventfd: a counter that is read and written as eight bytes. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "fd.h"
#include "result.h"
#include "thread-state.h"

#define LARGEST (UINT64_MAX - 1)

struct counter {
  uint64_t value;
  int is_semaphore;
};

static ssize_t read_counter(struct __rz_open_file *file, void *to, size_t n) {
  struct counter *counter = file->data;
  if (n < sizeof(uint64_t)) return __rz_error(EINVAL);
  __rz_point(__RZ_WRITES, counter);
  while (counter->value == 0) {
    if (file->flags & O_NONBLOCK) return __rz_error(EAGAIN);
    __rz_block(__RZ_WAITS_FOR_PIPE, counter, 0, __RZ_NEVER);
    __rz_cancellation_point();
  }
  if (__rz_has_threads) __rz_thread_acquire(counter);
  const uint64_t value = counter->is_semaphore ? 1 : counter->value;
  counter->value -= value;
  memcpy(to, &value, sizeof value);
  return sizeof value;
}

static ssize_t write_counter(struct __rz_open_file *file, const void *from, size_t n) {
  struct counter *counter = file->data;
  uint64_t more;
  if (n < sizeof more) return __rz_error(EINVAL);
  memcpy(&more, from, sizeof more);
  if (more == UINT64_MAX) return __rz_error(EINVAL);
  __rz_point(__RZ_WRITES, counter);
  if (more > LARGEST - counter->value) return __rz_error(EAGAIN);
  counter->value += more;
  if (__rz_has_threads) __rz_thread_release(counter);
  __rz_wake_all(counter);
  return sizeof more;
}

static void release(struct __rz_open_file *file) { free(file->data); }

static int is_ready(struct __rz_open_file *file) {
  const struct counter *counter = file->data;
  return (counter->value > 0 ? POLLIN : 0) | (counter->value < LARGEST ? POLLOUT : 0);
}

static const struct __rz_open_file_functions functions = {read_counter, write_counter, 0, release, is_ready};

int eventfd(unsigned int count, int flags) {
  if (flags & ~(EFD_SEMAPHORE | EFD_CLOEXEC | EFD_NONBLOCK)) return __rz_error(EINVAL);
  struct counter *counter = malloc(sizeof *counter);
  struct __rz_open_file *file = counter ? __rz_new_open_file(-1, O_RDWR | (flags & EFD_NONBLOCK)) : NULL;
  if (!file) {
    free(counter);
    return -1;
  }
  *counter = (struct counter){count, flags & EFD_SEMAPHORE};
  file->functions = &functions;
  file->data = counter;
  return __rz_fd_install(file, 0, (flags & EFD_CLOEXEC) != 0);
}

int eventfd_read(int fd, eventfd_t *value) { return read(fd, value, sizeof *value) == sizeof *value ? 0 : -1; }

int eventfd_write(int fd, eventfd_t value) { return write(fd, &value, sizeof value) == sizeof value ? 0 : -1; }
