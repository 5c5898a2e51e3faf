/*
 * poll and ppoll: there are only files here, and files are always ready. A wait for nothing sleeps.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <time.h>

static int is_open(int fd) {
  const int saved = errno;
  const int flags = fcntl(fd, F_GETFD);
  errno = saved;
  return flags >= 0;
}

static int ready_count(struct pollfd *fds, nfds_t count) {
  int ready = 0;
  for (nfds_t i = 0; i < count; i++) {
    const short always = POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM;
    if (fds[i].fd < 0) fds[i].revents = 0;
    else fds[i].revents = is_open(fds[i].fd) ? fds[i].events & always : POLLNVAL;
    ready += fds[i].revents != 0;
  }
  return ready;
}

int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
  (void)mask;
  const int ready = ready_count(fds, count);
  if (ready == 0 && timeout) nanosleep(timeout, 0);
  return ready;
}

int poll(struct pollfd *fds, nfds_t count, int timeout) {
  const struct timespec duration = {timeout / 1000, timeout % 1000 * 1000000L};
  return ppoll(fds, count, timeout < 0 ? 0 : &duration, 0);
}
