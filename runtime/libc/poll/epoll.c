/*
 * epoll: a list of descriptors, each of which is asked at every wait.
 *
 *     epoll_create1 ──▶ instance ──▶ item ──▶ item      in the order of epoll_ctl
 *                                     fd, and the serial number of its file when it was added
 *
 * A descriptor that was closed, or that refers to another file now, leaves the list.
 * An edge is a file that becomes ready. It is only known for writing: files never become unready
 * for that, so EPOLLOUT with EPOLLET is reported once. Input with EPOLLET is reported until it was
 * read, which programs allow for.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/stat.h>

#include "fd.h"
#include "result.h"
#include "timers.h"

struct item {
  struct item *next;
  int fd;
  unsigned long serial;
  struct epoll_event event;
  int was_writable; /* EPOLLOUT was reported since the last epoll_ctl */
  int is_disabled;  /* after an event with EPOLLONESHOT */
};

struct instance {
  struct item *first;
};

static void release(struct __rz_open_file *file) {
  struct instance *instance = file->data;
  while (instance->first) {
    struct item *item = instance->first;
    instance->first = item->next;
    free(item);
  }
  free(instance);
}

/* Reports to `events` what is ready, at most `most`; only counts if `events` is null. */
static int collect(struct instance *instance, struct epoll_event *events, int most) {
  int count = 0;
  for (struct item **at = &instance->first; *at && count < most;) {
    struct item *item = *at;
    struct __rz_open_file *file = item->fd < FD_MAX ? __rz_descriptors[item->fd].file : NULL;
    if (!file || file->serial != item->serial) {
      *at = item->next;
      free(item);
      continue;
    }
    at = &item->next;
    if (item->is_disabled) continue;
    const int state = __rz_file_ready(file);
    uint32_t ready = (uint32_t)state & (item->event.events | EPOLLERR | EPOLLHUP);
    if (state & POLLHUP) ready |= item->event.events & EPOLLRDHUP;
    if (item->was_writable) ready &= ~EPOLLOUT;
    if (!ready) continue;
    count++;
    if (!events) continue;
    events[count - 1] = (struct epoll_event){.events = ready, .data = item->event.data};
    if (ready & EPOLLOUT && item->event.events & EPOLLET) item->was_writable = 1;
    if (item->event.events & EPOLLONESHOT) item->is_disabled = 1;
  }
  return count;
}

static int is_ready(struct __rz_open_file *file) { return collect(file->data, NULL, 1) ? POLLIN : 0; }

static const struct __rz_open_file_functions functions = {NULL, NULL, 0, release, is_ready};

static struct instance *instance_of(int epoll) {
  struct __rz_open_file *file = __rz_fd_file(epoll);
  if (!file) return NULL;
  if (file->functions == &functions) return file->data;
  errno = EINVAL;
  return NULL;
}

int epoll_create1(int flags) {
  if (flags & ~EPOLL_CLOEXEC) return __rz_error(EINVAL);
  struct instance *instance = calloc(1, sizeof *instance);
  struct __rz_open_file *file = instance ? __rz_new_open_file(-1, O_RDWR) : NULL;
  if (!file) {
    free(instance);
    return -1;
  }
  file->functions = &functions;
  file->data = instance;
  return __rz_fd_install(file, 0, (flags & EPOLL_CLOEXEC) != 0);
}

int epoll_create(int size) { return size > 0 ? epoll_create1(0) : __rz_error(EINVAL); }

static int add(struct item **at, int fd, unsigned long serial, const struct epoll_event *event) {
  struct item *item = malloc(sizeof *item);
  if (!item) return -1;
  *item = (struct item){.fd = fd, .serial = serial, .event = *event};
  *at = item;
  return 0;
}

int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event) {
  struct instance *instance = instance_of(epoll);
  struct __rz_open_file *file = instance ? __rz_fd_file(fd) : NULL;
  if (!file) return -1;
  /* Files are always ready, and Linux refuses them. */
  if (!file->functions) return __rz_error(EPERM);
  if (file->data == instance) return __rz_error(EINVAL);
  struct item **at = &instance->first;
  while (*at && !((*at)->fd == fd && (*at)->serial == file->serial)) at = &(*at)->next;
  struct item *item = *at;
  if (operation == EPOLL_CTL_ADD) return item ? __rz_error(EEXIST) : add(at, fd, file->serial, event);
  if (!item) return __rz_error(ENOENT);
  if (operation == EPOLL_CTL_MOD) {
    item->event = *event;
    item->was_writable = item->is_disabled = 0;
    return 0;
  }
  if (operation != EPOLL_CTL_DEL) return __rz_error(EINVAL);
  *at = item->next;
  free(item);
  return 0;
}

int epoll_pwait(int epoll, struct epoll_event *events, int most, int timeout, const sigset_t *mask) {
  (void)mask;
  struct instance *instance = instance_of(epoll);
  if (!instance) return -1;
  if (most <= 0) return __rz_error(EINVAL);
  long left = timeout * 1000000L;
  for (;;) {
    const int ready = collect(instance, events, most);
    if (ready > 0 || (timeout >= 0 && left <= 0)) return ready;
    __rz_send_of_timers();
    const long taken = __rz_wait_for_files(timeout < 0 ? 1000000000L : left);
    if (timeout >= 0) left -= taken;
  }
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout) {
  return epoll_pwait(epoll, events, most, timeout, NULL);
}
