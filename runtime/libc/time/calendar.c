/*
 * Converts days to dates and back. Years are counted from March, so that the leap day is the last
 * day of its year: month m of that year, counted from 0, begins on day (153 m + 2) / 5, since the
 * lengths 31 30 31 30 31 repeat from March and from August. 400 years always have 146097
 * days.
 */
#include "calendar.h"

#include <errno.h>
#include <limits.h>

#define DAYS_PER_ERA 146097

const char *const __rz_day_names[7] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
const char *const __rz_month_names[12] = {"January", "February", "March",     "April",   "May",      "June",
                                          "July",    "August",   "September", "October", "November", "December"};

static long floor_divide(long a, long b) { return a / b - (a % b < 0); }

long __rz_days_to(long year, int month, long day) {
  long shifted = year - (month < 2), era = floor_divide(shifted, 400), year_of_era = shifted - era * 400;
  long day_of_year = (153 * ((month + 10) % 12) + 2) / 5 + day - 1;
  long day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * DAYS_PER_ERA + day_of_era - 719468; /* the days from 0000-03-01 to 1970-01-01 */
}

int __rz_break_down(time_t seconds, struct tm *result) {
  long days = floor_divide(seconds, __RZ_DAY), rest = seconds - days * __RZ_DAY;
  long shifted = days + 719468, era = floor_divide(shifted, DAYS_PER_ERA), day = shifted - era * DAYS_PER_ERA;
  /*
   * The first leap day of an era ends after 1460 days; a century has 36524 days, and the last
   * day of an era is day 146096.
   */
  long year_of_era = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  long day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  int month_from_march = (int)((5 * day_of_year + 2) / 153);
  int month = (month_from_march + 2) % 12;
  long year = year_of_era + era * 400 + (month < 2);
  if (year - 1900 > INT_MAX || year - 1900 < INT_MIN) {
    errno = EOVERFLOW;
    return -1;
  }
  *result = (struct tm){
      .tm_sec = (int)(rest % 60),
      .tm_min = (int)(rest / 60 % 60),
      .tm_hour = (int)(rest / 3600),
      .tm_mday = (int)(day_of_year - (153 * month_from_march + 2) / 5 + 1),
      .tm_mon = month,
      .tm_year = (int)(year - 1900),
      .tm_wday = (int)(days - floor_divide(days + 4, 7) * 7 + 4), /* 1970-01-01 was a Thursday */
      .tm_yday = (int)(days - __rz_days_to(year, 0, 1)),
  };
  return 0;
}

long __rz_seconds_of(const struct tm *t) {
  long years = floor_divide(t->tm_mon, 12);
  long days = __rz_days_to(1900L + t->tm_year + years, (int)(t->tm_mon - years * 12), t->tm_mday);
  return days * __RZ_DAY + t->tm_hour * 3600L + t->tm_min * 60L + t->tm_sec;
}
