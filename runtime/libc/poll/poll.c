/*
 * poll and ppoll: files are always ready, sockets may have to be waited for. A wait for nothing
 * sleeps.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <time.h>

#include "fd.h"
#include "timers.h"

static int ready_count(struct pollfd *fds, nfds_t count, int *waits) {
  const int saved = errno;
  int ready = 0;
  for (nfds_t i = 0; i < count; i++) {
    fds[i].revents = 0;
    if (fds[i].fd < 0) continue;
    struct __rz_open_file *file = __rz_fd_file(fds[i].fd);
    if (file) {
      const int state = __rz_file_ready(file);
      const int all = state | (state & POLLIN ? POLLRDNORM : 0) | (state & POLLOUT ? POLLWRNORM : 0);
      fds[i].revents = (short)(all & (fds[i].events | POLLERR | POLLHUP));
      *waits |= file->functions && file->functions->ready;
    } else {
      fds[i].revents = POLLNVAL;
    }
    ready += fds[i].revents != 0;
  }
  errno = saved;
  return ready;
}

int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
  (void)mask;
  int waits = 0, ready = ready_count(fds, count, &waits);
  if (!waits) {
    return ready == 0 && timeout && nanosleep(timeout, 0) != 0 ? -1 : ready;
  }
  long left = timeout ? timeout->tv_sec * 1000000000L + timeout->tv_nsec : 1000000000L;
  while (ready == 0 && left > 0) {
    __rz_send_of_timers();
    const long taken = __rz_wait_for_files(left);
    if (timeout) left -= taken;
    ready = ready_count(fds, count, &waits);
  }
  return ready;
}

int poll(struct pollfd *fds, nfds_t count, int timeout) {
  const struct timespec duration = {timeout / 1000, timeout % 1000 * 1000000L};
  return ppoll(fds, count, timeout < 0 ? 0 : &duration, 0);
}
