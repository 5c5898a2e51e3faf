/* <time.h>: C11 and POSIX. */
#ifndef _TIME_H
#define _TIME_H

#include <bits/locale-types.h>
#include <bits/time-types.h>
#include <stddef.h>

#define CLOCKS_PER_SEC ((clock_t)1000000)
#define TIME_UTC 1

#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define TIMER_ABSTIME 1

struct tm {
  int tm_sec;
  int tm_min;
  int tm_hour;
  int tm_mday;
  int tm_mon;
  int tm_year;
  int tm_wday;
  int tm_yday;
  int tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};

struct itimerspec {
  struct timespec it_interval;
  struct timespec it_value;
};

extern char *tzname[2];
extern long timezone;
extern int daylight;

clock_t clock(void);
time_t time(time_t *result);
double difftime(time_t later, time_t earlier);
time_t mktime(struct tm *broken_down);
int timespec_get(struct timespec *result, int base);
int timespec_getres(struct timespec *result, int base);
char *asctime(const struct tm *broken_down);
char *ctime(const time_t *moment);
struct tm *gmtime(const time_t *moment);
struct tm *localtime(const time_t *moment);
size_t strftime(char *restrict text, size_t size, const char *restrict format, const struct tm *restrict broken_down);

char *asctime_r(const struct tm *restrict broken_down, char *restrict text);
char *ctime_r(const time_t *moment, char *text);
struct tm *gmtime_r(const time_t *restrict moment, struct tm *restrict broken_down);
struct tm *localtime_r(const time_t *restrict moment, struct tm *restrict broken_down);
size_t strftime_l(char *restrict text, size_t size, const char *restrict format, const struct tm *restrict broken_down,
                  locale_t locale);
char *strptime(const char *restrict text, const char *restrict format, struct tm *restrict broken_down);
time_t timegm(struct tm *broken_down);
time_t timelocal(struct tm *broken_down);
void tzset(void);

int nanosleep(const struct timespec *duration, struct timespec *remaining);
int clock_getres(clockid_t clock, struct timespec *resolution);
int clock_gettime(clockid_t clock, struct timespec *moment);
int clock_settime(clockid_t clock, const struct timespec *moment);
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration, struct timespec *remaining);

#endif
