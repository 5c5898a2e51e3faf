/* asctime, ctime and their _r forms: "Thu Jan  1 00:00:00 1970\n" */
#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "calendar.h"

#define SIZE 26

static char *write_text(const struct tm *t, char *text, size_t size) {
  const char *day = t->tm_wday >= 0 && t->tm_wday < 7 ? __rz_day_names[t->tm_wday] : "???";
  const char *month = t->tm_mon >= 0 && t->tm_mon < 12 ? __rz_month_names[t->tm_mon] : "???";
  int length = snprintf(text, size, "%.3s %.3s%3d %.2d:%.2d:%.2d %ld\n", day, month, t->tm_mday, t->tm_hour, t->tm_min,
                        t->tm_sec, t->tm_year + 1900L);
  if (length >= 0 && (size_t)length < size) return text;
  errno = EOVERFLOW;
  return NULL;
}

char *asctime_r(const struct tm *restrict t, char *restrict text) { return write_text(t, text, SIZE); }

char *asctime(const struct tm *t) {
  static char text[128];
  return write_text(t, text, sizeof text);
}

char *ctime(const time_t *moment) {
  struct tm *t = localtime(moment);
  return t ? asctime(t) : NULL;
}

char *ctime_r(const time_t *moment, char *text) {
  struct tm t;
  return localtime_r(moment, &t) ? asctime_r(&t, text) : NULL;
}
