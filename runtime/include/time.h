/* <time.h>: C11 and POSIX. */
#ifndef _TIME_H
#define _TIME_H

#include <bits/locale-types.h>
#include <bits/timespec.h>
#include <stddef.h>

typedef long clock_t;
typedef __rz_clockid_t clockid_t;
typedef __rz_pid_t pid_t;
typedef void *timer_t;

struct sigevent;

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
time_t time(time_t *__result);
double difftime(time_t __later, time_t __earlier);
time_t mktime(struct tm *__broken_down);
int timespec_get(struct timespec *__result, int __base);
int timespec_getres(struct timespec *__result, int __base);
char *asctime(const struct tm *__broken_down);
char *ctime(const time_t *__moment);
struct tm *gmtime(const time_t *__moment);
struct tm *localtime(const time_t *__moment);
size_t strftime(char *__restrict __text, size_t __size, const char *__restrict __format, const struct tm *__restrict __broken_down);

char *asctime_r(const struct tm *__restrict __broken_down, char *__restrict __text);
char *ctime_r(const time_t *__moment, char *__text);
struct tm *gmtime_r(const time_t *__restrict __moment, struct tm *__restrict __broken_down);
struct tm *localtime_r(const time_t *__restrict __moment, struct tm *__restrict __broken_down);
size_t strftime_l(char *__restrict __text, size_t __size, const char *__restrict __format, const struct tm *__restrict __broken_down,
                  locale_t __locale);
char *strptime(const char *__restrict __text, const char *__restrict __format, struct tm *__restrict __broken_down);
time_t timegm(struct tm *__broken_down);
time_t timelocal(struct tm *__broken_down);
void tzset(void);

int nanosleep(const struct timespec *__duration, struct timespec *__remaining);
int clock_getres(clockid_t __clock, struct timespec *__resolution);
int clock_gettime(clockid_t __clock, struct timespec *__moment);
int clock_settime(clockid_t __clock, const struct timespec *__moment);
int timer_create(clockid_t __clock, struct sigevent *__restrict __event, timer_t *__restrict __out);
int timer_delete(timer_t __timer);
int timer_settime(timer_t __timer, int __flags, const struct itimerspec *__restrict __new,
                  struct itimerspec *__restrict __old);
int timer_gettime(timer_t __timer, struct itimerspec *__out);
int timer_getoverrun(timer_t __timer);
int clock_nanosleep(clockid_t __clock, int __flags, const struct timespec *__duration, struct timespec *__remaining);

#endif
