/* gmtime, gmtime_r */
#include <time.h>

#include "calendar.h"

struct tm *gmtime_r(const time_t *restrict moment, struct tm *restrict result) {
  if (__rz_break_down(*moment, result) != 0) return NULL;
  result->tm_isdst = 0;
  result->tm_gmtoff = 0;
  result->tm_zone = "GMT";
  return result;
}

struct tm *gmtime(const time_t *moment) {
  static struct tm result;
  return gmtime_r(moment, &result);
}
