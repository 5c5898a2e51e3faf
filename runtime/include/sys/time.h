/* <sys/time.h> */
#ifndef _SYS_TIME_H
#define _SYS_TIME_H

#include <bits/timespec.h>
#include <bits/timeval.h>
#include <bits/posix-types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct timezone {
  int tz_minuteswest;
  int tz_dsttime;
};

struct itimerval {
  struct timeval it_interval;
  struct timeval it_value;
};

#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2

int gettimeofday(struct timeval *__restrict __now, void *__restrict __zone);
int settimeofday(const struct timeval *__now, const struct timezone *__zone);
int getitimer(int __which, struct itimerval *__out);
int setitimer(int __which, const struct itimerval *__restrict __value, struct itimerval *__restrict __old);
int utimes(const char *__path, const struct timeval __times[2]);
int lutimes(const char *__path, const struct timeval __times[2]);
int futimes(int __fd, const struct timeval __times[2]);
int futimesat(int __folder, const char *__path, const struct timeval __times[2]);

#define TIMEVAL_TO_TIMESPEC(from, to) \
  do { \
    (to)->tv_sec = (from)->tv_sec; \
    (to)->tv_nsec = (from)->tv_usec * 1000; \
  } while (0)
#define TIMESPEC_TO_TIMEVAL(to, from) \
  do { \
    (to)->tv_sec = (from)->tv_sec; \
    (to)->tv_usec = (from)->tv_nsec / 1000; \
  } while (0)
#define timerisset(t) ((t)->tv_sec || (t)->tv_usec)
#define timerclear(t) ((t)->tv_sec = (t)->tv_usec = 0)
#define timercmp(a, b, op) ((a)->tv_sec == (b)->tv_sec ? (a)->tv_usec op(b)->tv_usec : (a)->tv_sec op(b)->tv_sec)
#define timeradd(a, b, out)                             \
  do {                                                  \
    (out)->tv_sec = (a)->tv_sec + (b)->tv_sec;          \
    (out)->tv_usec = (a)->tv_usec + (b)->tv_usec;       \
    if ((out)->tv_usec >= 1000000) {                    \
      (out)->tv_sec++;                                  \
      (out)->tv_usec -= 1000000;                        \
    }                                                   \
  } while (0)
#define timersub(a, b, out)                             \
  do {                                                  \
    (out)->tv_sec = (a)->tv_sec - (b)->tv_sec;          \
    (out)->tv_usec = (a)->tv_usec - (b)->tv_usec;       \
    if ((out)->tv_usec < 0) {                           \
      (out)->tv_sec--;                                  \
      (out)->tv_usec += 1000000;                        \
    }                                                   \
  } while (0)

#ifdef __cplusplus
}
#endif

#include <sys/select.h>

#endif
