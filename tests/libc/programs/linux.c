/* Calls of Linux and of GNU, and names of BSD, in the current folder. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/xattr.h>
#include <unistd.h>
extern char *__progname, *__progname_full;
#define CHECK(expression) printf("%-48.48s = %ld\n", #expression, (long)(expression))
#define FAILS(expression, number) \
  printf("%-48.48s = %d\n", #expression, (errno = 0, (expression) == -1 && errno == (number)))
static void copies(void) {
  char buffer[32] = "";
  off_t at = 2;
  int from = open("x", O_RDWR | O_CREAT | O_TRUNC, 0640), to = open("y", O_RDWR | O_CREAT | O_TRUNC, 0600);
  CHECK(write(from, "0123456789", 10));
  CHECK(sendfile(to, from, &at, 5));
  CHECK(at);
  CHECK(lseek(from, 3, SEEK_SET));
  CHECK(sendfile(to, from, NULL, 100));
  CHECK(pread(to, buffer, 31, 0));
  puts(buffer);
  int ends[2];
  CHECK(pipe(ends));
  at = 4;
  CHECK(splice(from, &at, ends[1], NULL, 3, SPLICE_F_MOVE));
  CHECK(splice(ends[0], NULL, to, NULL, 30, 0));
  CHECK(pread(to, buffer, 31, 12));
  CHECK(memcmp(buffer, "456", 3));
  CHECK(sync_file_range(to, 0, 4, SYNC_FILE_RANGE_WRITE));
}

static void names(void) {
  char buffer[32];
  struct statx x;
  CHECK(statx(AT_FDCWD, "x", AT_STATX_SYNC_AS_STAT, STATX_BASIC_STATS, &x));
  CHECK((x.stx_mask & STATX_BASIC_STATS) == STATX_BASIC_STATS);
  CHECK(x.stx_size);
  CHECK(x.stx_mode == (S_IFREG | 0640));
  FAILS(statx(AT_FDCWD, "nowhere", 0, STATX_SIZE, &x), ENOENT);
  FAILS(renameat2(AT_FDCWD, "x", AT_FDCWD, "y", RENAME_NOREPLACE), EEXIST);
  CHECK(renameat2(AT_FDCWD, "x", AT_FDCWD, "z", RENAME_NOREPLACE));
  CHECK(renameat2(AT_FDCWD, "z", AT_FDCWD, "y", 0));
  FAILS(getxattr("nowhere", "user.none", buffer, sizeof buffer), ENOENT);
  CHECK(getxattr("y", "user.none", buffer, sizeof buffer) < 0 && (errno == ENODATA || errno == ENOTSUP));
  unlink("y");
}

static void hosts(void) {
  struct hostent entry, *found = NULL;
  char room[400];
  int failure = 0;
  CHECK(gethostbyname_r("127.0.0.1", &entry, room, sizeof room, &found, &failure));
  CHECK(found == &entry && entry.h_addr_list[0][3] == 1 && entry.h_aliases[0] == NULL);
  CHECK(gethostbyname_r("127.0.0.1", &entry, room, 4, &found, &failure) == ERANGE);
}

static void attributes_of_spawn(void) {
  const short both = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP;
  posix_spawnattr_t attributes;
  short flags = 0;
  pid_t group = 0;
  sigset_t set;
  posix_spawnattr_init(&attributes);
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  CHECK(posix_spawnattr_setflags(&attributes, both));
  CHECK(posix_spawnattr_setsigmask(&attributes, &set));
  CHECK(posix_spawnattr_setpgroup(&attributes, 7));
  sigemptyset(&set);
  CHECK(posix_spawnattr_getsigmask(&attributes, &set));
  CHECK(sigismember(&set, SIGINT));
  CHECK(posix_spawnattr_getpgroup(&attributes, &group) == 0 && group == 7);
  CHECK(posix_spawnattr_getflags(&attributes, &flags) == 0 && flags == both);
  posix_spawnattr_destroy(&attributes);
}

static int epoll;

/* What is ready: the bits of each event, with the number that was given for it. */
static void show(const char *what, int timeout) {
  struct epoll_event events[4];
  const int count = epoll_wait(epoll, events, 4, timeout);
  printf("%s: %d", what, count);
  for (int i = 0; i < count; i++) printf(" %d:%x", (int)events[i].data.u32, (unsigned)events[i].events);
  puts("");
}

static int control(int operation, int fd, unsigned events, int number) {
  return epoll_ctl(epoll, operation, fd, &(struct epoll_event){.events = events, .data = {.u32 = (uint32_t)number}});
}

static void events(void) {
  int ends[2], file = open("e", O_RDWR | O_CREAT, 0600);
  uint64_t value = 3;
  char byte = 'b';
  epoll = epoll_create1(EPOLL_CLOEXEC);
  pipe2(ends, O_NONBLOCK);
  FAILS(control(EPOLL_CTL_ADD, file, EPOLLIN, 0), EPERM);
  FAILS(control(EPOLL_CTL_MOD, ends[0], EPOLLIN, 0), ENOENT);
  FAILS(epoll_ctl(ends[0], EPOLL_CTL_DEL, ends[1], NULL), EINVAL);
  FAILS(epoll_wait(epoll, NULL, 0, 0), EINVAL);
  CHECK(control(EPOLL_CTL_ADD, ends[0], EPOLLIN, 1));
  FAILS(control(EPOLL_CTL_ADD, ends[0], EPOLLIN, 1), EEXIST);
  CHECK(control(EPOLL_CTL_ADD, ends[1], EPOLLOUT | EPOLLET, 2));
  show("edge", 0);
  show("no edge", 1);
  CHECK(write(ends[1], &byte, 1));
  CHECK(control(EPOLL_CTL_DEL, ends[1], 0, 0));
  show("level", -1);
  show("still", 0);
  CHECK(control(EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLONESHOT, 3));
  show("once", 0);
  show("no more", 0);
  CHECK(control(EPOLL_CTL_MOD, ends[0], EPOLLIN, 4));
  CHECK(read(ends[0], &byte, 1));
  close(ends[1]);
  show("end", 0);
  close(ends[0]);
  show("closed", 0);
  int counter = eventfd(2, EFD_NONBLOCK | EFD_SEMAPHORE), plain = eventfd(0, EFD_NONBLOCK);
  CHECK(control(EPOLL_CTL_ADD, counter, EPOLLIN, 5));
  CHECK(control(EPOLL_CTL_ADD, plain, EPOLLIN | EPOLLOUT, 6));
  CHECK(write(plain, &value, sizeof value));
  CHECK(eventfd_write(plain, 4));
  show("counters", 0);
  CHECK(read(plain, &value, sizeof value) == sizeof value && value == 7);
  FAILS(read(plain, &value, sizeof value), EAGAIN);
  FAILS(read(plain, &value, 4), EINVAL);
  CHECK(eventfd_read(counter, &value) == 0 && value == 1);
  CHECK(eventfd_read(counter, &value) == 0 && value == 1);
  FAILS(eventfd_read(counter, &value), EAGAIN);
  close(plain);
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct itimerspec late = {.it_value = {1000, 0}}, soon = {.it_value = {0, 1000000}}, left;
  CHECK(control(EPOLL_CTL_ADD, timer, EPOLLIN, 7));
  show("unset", 0);
  CHECK(timerfd_settime(timer, 0, &late, NULL));
  CHECK(timerfd_gettime(timer, &left) == 0 && left.it_value.tv_sec > 500);
  FAILS(read(timer, &value, sizeof value), EAGAIN);
  CHECK(timerfd_settime(timer, 0, &soon, &left) == 0 && left.it_value.tv_sec > 500);
  show("timer", 60000);
  CHECK(read(timer, &value, sizeof value) == sizeof value && value == 1);
  show("read", 0);
  close(timer);
  close(counter);
  CHECK(close(epoll));
  unlink("e");
}

int main(void) {
  CHECK(strcmp(__progname, program_invocation_short_name));
  CHECK(strcmp(__progname_full, program_invocation_name));
  copies();
  names();
  hosts();
  attributes_of_spawn();
  events();
  return 0;
}
