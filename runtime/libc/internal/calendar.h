/*
 * Days and dates of the proleptic Gregorian calendar, and the time zone: shared by the files of
 * time/.
 */
#ifndef RZ_CALENDAR_H
#define RZ_CALENDAR_H

#include <time.h>

#define __RZ_DAY 86400L

/*
 * Days from 1970-01-01 to a date; the month, 0 to 11, is in range, the day of the month need not
 * be.
 */
long __rz_days_to(long year, int month, long day);

static inline int __rz_is_leap_year(long year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

/*
 * Fills in all fields but those of the zone from seconds since 1970, without an offset. Returns 0,
 * or -1 with EOVERFLOW if the year does not
 * fit.
 */
int __rz_break_down(time_t seconds, struct tm *result);

/*
 * The seconds since 1970 of a date and time whose fields may be out of range; the inverse of
 * __rz_break_down.
 */
long __rz_seconds_of(const struct tm *broken_down);

/*
 * The time zone at a moment: seconds east of Greenwich, whether daylight saving time applies, and
 * the abbreviation.
 */
typedef struct {
  long east;
  int is_summer;
  const char *name;
} __rz_zone;

__rz_zone __rz_zone_at(time_t moment);

/*
 * Whether the zone has daylight saving time at all, and its two offsets east, which are needed to
 * convert a local time.
 */
int __rz_zone_offsets(long *standard, long *summer);

/* The names of days and months in the C locale. */
extern const char *const __rz_day_names[7];
extern const char *const __rz_month_names[12];

#endif
