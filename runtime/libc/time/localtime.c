/* localtime, localtime_r */
#include <time.h>

#include "calendar.h"

struct tm *localtime_r(const time_t *restrict moment, struct tm *restrict result) {
  tzset();
  __rz_zone zone = __rz_zone_at(*moment);
  if (__rz_break_down(*moment + zone.east, result) != 0) return NULL;
  result->tm_isdst = zone.is_summer;
  result->tm_gmtoff = zone.east;
  result->tm_zone = zone.name;
  return result;
}

struct tm *localtime(const time_t *moment) {
  static struct tm result;
  return localtime_r(moment, &result);
}
