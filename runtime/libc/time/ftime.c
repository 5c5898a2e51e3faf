/* ftime: the time in milliseconds. As in glibc, the zone is not set. */
#include <sys/timeb.h>

int ftime(struct timeb *now) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  *now = (struct timeb){.time = time.tv_sec, .millitm = (unsigned short)(time.tv_nsec / 1000000)};
  return 0;
}
