/* The times of files. Streams and pipes have none of their own. */
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

/* What to set, in nanoseconds; `old` is read only for a time that is to stay. */
static int values_of(const struct timespec times[2], const struct stat *old, int64_t values[2]) {
  values[0] = values[1] = __host_clock(__HOST_CLOCK_REALTIME);
  for (int i = 0; times && i < 2; i++) {
    if (times[i].tv_nsec == UTIME_NOW) continue;
    if (times[i].tv_nsec == UTIME_OMIT) {
      const struct timespec *kept = i == 0 ? &old->st_atim : &old->st_mtim;
      values[i] = kept->tv_sec * NANOSECONDS + kept->tv_nsec;
    } else if (times[i].tv_nsec < 0 || times[i].tv_nsec >= NANOSECONDS) {
      return __rz_error(EINVAL);
    } else {
      values[i] = times[i].tv_sec * NANOSECONDS + times[i].tv_nsec;
    }
  }
  return 0;
}

static int set_times(const char *path, int follow, const struct timespec times[2]) {
  struct stat old;
  int64_t values[2];
  if ((follow ? stat(path, &old) : lstat(path, &old)) < 0 || values_of(times, &old, values) < 0) return -1;
  return (int)__rz_result(__host_utimes(path, strlen(path), follow, values[0], values[1]));
}

static int set_open_times(int fd, const struct timespec times[2]) {
  struct stat old;
  int64_t values[2];
  if (fstat(fd, &old) < 0 || values_of(times, &old, values) < 0) return -1;
  struct __rz_open_file *file = __rz_fd_file(fd);
  return file->functions ? __rz_error(ENOSYS) : (int)__rz_result(__host_futimes(file->handle, values[0], values[1]));
}

static void in_nanoseconds(const struct timeval times[2], struct timespec specs[2]) {
  for (int i = 0; i < 2; i++) specs[i] = (struct timespec){times[i].tv_sec, times[i].tv_usec * 1000};
}

static int set_timevals(const char *path, int follow, const struct timeval times[2]) {
  struct timespec specs[2];
  if (times) in_nanoseconds(times, specs);
  return set_times(path, follow, times ? specs : NULL);
}

int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  char buffer[PATH_MAX];
  path = __rz_path_at(folder, path, buffer);
  return path ? set_times(path, !(flags & AT_SYMLINK_NOFOLLOW), times) : -1;
}

int futimens(int fd, const struct timespec times[2]) { return set_open_times(fd, times); }

int utimes(const char *path, const struct timeval times[2]) { return set_timevals(path, 1, times); }

int lutimes(const char *path, const struct timeval times[2]) { return set_timevals(path, 0, times); }

int futimes(int fd, const struct timeval times[2]) {
  struct timespec specs[2];
  if (times) in_nanoseconds(times, specs);
  return set_open_times(fd, times ? specs : NULL);
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
