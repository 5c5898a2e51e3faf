/* The times of files. Those of an open file cannot be reached through the host: setting them succeeds without effect. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <utime.h>

#include "fd.h"
#include "host.h"
#include "path.h"
#include "result.h"

#define NANOSECONDS 1000000000L

static int set_times(const char *path, int follow, const struct timespec times[2]) {
  int64_t now = __host_clock(__HOST_CLOCK_REALTIME);
  int64_t values[2] = {now, now};
  struct stat old;
  for (int i = 0; times && i < 2; i++) {
    if (times[i].tv_nsec == UTIME_NOW) continue;
    if (times[i].tv_nsec == UTIME_OMIT) {
      if ((follow ? stat(path, &old) : lstat(path, &old)) < 0) return -1;
      const struct timespec *kept = i == 0 ? &old.st_atim : &old.st_mtim;
      values[i] = kept->tv_sec * NANOSECONDS + kept->tv_nsec;
    } else if (times[i].tv_nsec < 0 || times[i].tv_nsec >= NANOSECONDS) {
      return __rz_error(EINVAL);
    } else {
      values[i] = times[i].tv_sec * NANOSECONDS + times[i].tv_nsec;
    }
  }
  return (int)__rz_result(__host_utimes(path, strlen(path), follow, values[0], values[1]));
}

static int set_timevals(const char *path, int follow, const struct timeval times[2]) {
  if (!times) return set_times(path, follow, NULL);
  const struct timespec specs[2] = {{times[0].tv_sec, times[0].tv_usec * 1000}, {times[1].tv_sec, times[1].tv_usec * 1000}};
  return set_times(path, follow, specs);
}

int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  char buffer[PATH_MAX];
  path = __rz_path_at(folder, path, buffer);
  return path ? set_times(path, !(flags & AT_SYMLINK_NOFOLLOW), times) : -1;
}

int futimens(int fd, const struct timespec times[2]) {
  (void)times;
  return __rz_fd_file(fd) ? 0 : -1;
}

int utimes(const char *path, const struct timeval times[2]) { return set_timevals(path, 1, times); }

int lutimes(const char *path, const struct timeval times[2]) { return set_timevals(path, 0, times); }

int futimes(int fd, const struct timeval times[2]) {
  (void)times;
  return __rz_fd_file(fd) ? 0 : -1;
}

int futimesat(int folder, const char *path, const struct timeval times[2]) {
  char buffer[PATH_MAX];
  path = __rz_path_at(folder, path, buffer);
  return path ? set_timevals(path, 1, times) : -1;
}

int utime(const char *path, const struct utimbuf *times) {
  if (!times) return set_times(path, 1, NULL);
  const struct timespec specs[2] = {{times->actime, 0}, {times->modtime, 0}};
  return set_times(path, 1, specs);
}
