/* Messages that end programs, and what a process may ask about itself; only answers that are the same on every machine. */
#include <err.h>
#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <termios.h>
#include <unistd.h>

#define CHECK(expression) printf("%-48.48s = %ld\n", #expression, (long)(expression))

int main(void) {
  char buffer[64] = "";
  struct rlimit limit;
  struct rusage usage;
  struct utsname name;
  struct statvfs file_system;
  struct termios terminal = {0};
  struct tms spent;
  struct timeval a = {5, 900000}, b = {2, 200000}, c;

  errno = ENOENT;
  warn("cannot open %s", "x");
  warnx("plain %d", 7);
  error(0, EACCES, "code %d", 3);
  error(0, 0, "no reason");
  error_at_line(0, EINVAL, "file.c", 12, "in line");
  CHECK(error_message_count);

  CHECK(getpid() > 0 && getpid() == getpid());
  CHECK(getuid() == geteuid());
  CHECK(getppid() > 0);
  CHECK(getpgid(0) == getpgrp());
  CHECK(setuid(getuid()));
  CHECK(sysconf(_SC_PAGESIZE) == getpagesize());
  CHECK(sysconf(_SC_CLK_TCK));
  CHECK((errno = 0, sysconf(-5) == -1 && errno == EINVAL));
  CHECK(pathconf(".", _PC_NAME_MAX));
  CHECK(gethostname(buffer, sizeof buffer) == 0 && buffer[0] != 0);
  CHECK(uname(&name) == 0 && name.machine[0] != 0);
  CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur > 0);
  CHECK(getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_utime.tv_sec >= 0);
  CHECK(times(&spent) != (clock_t)-1);
  CHECK(statvfs(".", &file_system) == 0 && file_system.f_namemax == 255);
  CHECK(getentropy(buffer, 16));
  CHECK((errno = 0, getentropy(buffer, 257) == -1));
  CHECK(getrandom(buffer, 8, 0));
  CHECK((errno = 0, isatty(0)) == 0 && errno == ENOTTY);
  CHECK((errno = 0, tcgetattr(0, &terminal) == -1 && errno == ENOTTY));
  CHECK(ttyname(0) == NULL);
  cfmakeraw(&terminal);
  CHECK(terminal.c_cc[VMIN]);
  timersub(&a, &b, &c);
  CHECK(c.tv_sec * 1000000 + c.tv_usec);
  timeradd(&a, &b, &c);
  CHECK(c.tv_sec * 1000000 + c.tv_usec);
  CHECK(timercmp(&a, &b, >));
  swab("badcfe", buffer, 6);
  printf("%.6s\n", buffer);
  CHECK(confstr(_CS_PATH, buffer, sizeof buffer) > 0);
  CHECK(sleep(0));
  CHECK(usleep(1));
  CHECK(strlen(ctermid(buffer)));
  char *unused = tempnam(".", "pre");
  CHECK(strncmp(unused + strlen(unused) - 9, "pre", 3));
  free(unused);

  int fd = open("p", O_RDWR | O_CREAT | O_TRUNC, 0600), ready = 0;
  write(fd, "12345", 5);
  lseek(fd, 2, SEEK_SET);
  CHECK(ioctl(fd, FIONREAD, &ready) == 0 && ready == 3);
  FILE *f = fdopen(fd, "r+");
  CHECK(__freadable(f) != 0 && __fwritable(f) != 0);
  CHECK((errno = 0, fdopen(99, "r") == NULL && errno == EBADF));
  fclose(f);
  unlink("p");
  errx(9, "the %s", "end");
}
