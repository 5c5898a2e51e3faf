/*
 * select and pselect: every open file is ready to be read and written, and none has anything
 * exceptional.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/select.h>
#include <time.h>

/* The number of descriptors in the set, or -1 if one of them is not open. */
static int count_set(const fd_set *set, int count) {
  int members = 0;
  for (int fd = 0; set && fd < count; fd++) {
    if (!FD_ISSET(fd, set)) continue;
    if (fcntl(fd, F_GETFD) < 0) return -1;
    members++;
  }
  return members;
}

int pselect(int count, fd_set *restrict read, fd_set *restrict write, fd_set *restrict except,
            const struct timespec *restrict timeout, const sigset_t *restrict mask) {
  (void)mask;
  if (count < 0 || count > FD_SETSIZE) {
    errno = EINVAL;
    return -1;
  }
  const int readable = count_set(read, count), writable = count_set(write, count);
  if (readable < 0 || writable < 0 || count_set(except, count) < 0) return -1;
  if (except) FD_ZERO(except);
  if (readable + writable == 0 && timeout) nanosleep(timeout, 0);
  return readable + writable;
}

int select(int count, fd_set *restrict read, fd_set *restrict write, fd_set *restrict except,
           struct timeval *restrict timeout) {
  struct timespec duration = {0};
  if (timeout) duration = (struct timespec){timeout->tv_sec, timeout->tv_usec * 1000L};
  return pselect(count, read, write, except, timeout ? &duration : 0, 0);
}
