/*
 * mktime, timegm: convert a date and time to seconds and bring all fields into range.
 *
 * A local time is tried with the offset that tm_isdst requests. If tm_isdst is negative, standard
 * time is tried first, then daylight saving time if the moment turns out to lie in it.
 */
#include <time.h>

#include "calendar.h"

time_t timegm(struct tm *t) {
  time_t moment = __rz_seconds_of(t);
  return gmtime_r(&moment, t) ? moment : (time_t)-1;
}

time_t mktime(struct tm *t) {
  tzset();
  long shown = __rz_seconds_of(t), standard, summer;
  int has_summer = __rz_zone_offsets(&standard, &summer);
  time_t moment = shown - standard;
  if (has_summer && (t->tm_isdst > 0 || (t->tm_isdst < 0 && __rz_zone_at(moment).is_summer))) {
    time_t earlier = shown - summer;
    if (t->tm_isdst > 0 || __rz_zone_at(earlier).is_summer) moment = earlier;
  }
  return localtime_r(&moment, t) ? moment : (time_t)-1;
}

time_t timelocal(struct tm *t) { return mktime(t); }
