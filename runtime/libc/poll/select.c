/* select and pselect, by poll: nothing exceptional ever happens here. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/select.h>
#include <time.h>

#include "fd.h"

/* The members of both sets, as poll has them, and their number; -1 if one of them is not open. */
static int list_members(const fd_set *read, const fd_set *write, const fd_set *except, int count, struct pollfd *to) {
  int members = 0;
  for (int fd = 0; fd < count; fd++) {
    const int reads = read && FD_ISSET(fd, read), writes = write && FD_ISSET(fd, write);
    if (!reads && !writes && !(except && FD_ISSET(fd, except))) continue;
    if (fcntl(fd, F_GETFD) < 0) return -1;
    if (reads || writes) to[members++] = (struct pollfd){fd, (short)((reads ? POLLIN : 0) | (writes ? POLLOUT : 0)), 0};
  }
  return members;
}

int pselect(int count, fd_set *restrict read, fd_set *restrict write, fd_set *restrict except,
            const struct timespec *restrict timeout, const sigset_t *restrict mask) {
  if (count < 0 || count > FD_SETSIZE) {
    errno = EINVAL;
    return -1;
  }
  struct pollfd members[FD_MAX];
  const int listed = list_members(read, write, except, count, members);
  if (listed < 0) return -1;
  if (except) FD_ZERO(except);
  if (listed == 0) {
    return timeout ? nanosleep(timeout, 0) : 0;
  }
  if (ppoll(members, (nfds_t)listed, timeout, mask) < 0) return -1;
  int ready = 0;
  for (int i = 0; i < listed; i++) {
    const int fd = members[i].fd, state = members[i].revents;
    if (members[i].events & POLLIN && !(state & (POLLIN | POLLHUP | POLLERR))) FD_CLR(fd, read);
    else if (members[i].events & POLLIN) ready++;
    if (members[i].events & POLLOUT && !(state & (POLLOUT | POLLERR))) FD_CLR(fd, write);
    else if (members[i].events & POLLOUT) ready++;
  }
  return ready;
}

int select(int count, fd_set *restrict read, fd_set *restrict write, fd_set *restrict except,
           struct timeval *restrict timeout) {
  struct timespec duration = {0};
  if (timeout) duration = (struct timespec){timeout->tv_sec, timeout->tv_usec * 1000L};
  return pselect(count, read, write, except, timeout ? &duration : 0, 0);
}
