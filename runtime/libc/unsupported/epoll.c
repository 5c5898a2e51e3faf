/* sys/epoll.h: see unsupported.h. */
#include <sys/epoll.h>

#include "unsupported.h"

int epoll_create(int size) {
  (void)size;
  UNSUPPORTED("epoll_create", NO_KERNEL);
}

int epoll_create1(int flags) {
  (void)flags;
  UNSUPPORTED("epoll_create1", NO_KERNEL);
}

int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event) {
  (void)epoll, (void)operation, (void)fd, (void)event;
  UNSUPPORTED("epoll_ctl", NO_KERNEL);
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout) {
  (void)epoll, (void)events, (void)most, (void)timeout;
  UNSUPPORTED("epoll_wait", NO_KERNEL);
}

int epoll_pwait(int epoll, struct epoll_event *events, int most, int timeout, const sigset_t *mask) {
  (void)epoll, (void)events, (void)most, (void)timeout, (void)mask;
  UNSUPPORTED("epoll_pwait", NO_KERNEL);
}
