/*
 * The time zone, from the environment variable TZ in the form of POSIX:
 *
 *   name offset [name [offset] [,start[/time],end[/time]]]          CET-1CEST,M3.5.0,M10.5.0/3
 *
 * Offsets are west of Greenwich, unlike elsewhere in this library. A rule is Jn (day 1 to 365
 * without the leap day), n (day 0 to 365) or Mm.w.d (weekday d of week w of month m; week 5 is the
 * last). Without TZ, or if it does not have this form, the zone is UTC: there are no zone files.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "calendar.h"

#define NAME_SIZE 16

typedef struct {
  enum { JULIAN, DAY_OF_YEAR, WEEKDAY } kind;
  int month, week, day;
  long seconds; /* after midnight */
} Rule;

static char standard_name[NAME_SIZE] = "UTC", summer_name[NAME_SIZE] = "UTC";
static long standard_east, summer_east;
static int has_summer;
static Rule summer_start, summer_end;

char *tzname[2] = {standard_name, summer_name};
long timezone;
int daylight;

/* Each parser returns what follows, or null. */

static const char *parse_name(const char *text, char name[NAME_SIZE]) {
  const char *end = text;
  if (*text == '<') {
    end = ++text;
    while (isalnum((unsigned char)*end) || *end == '+' || *end == '-') end++;
    if (*end != '>') return NULL;
  } else {
    while (isalpha((unsigned char)*end)) end++;
  }
  size_t length = (size_t)(end - text);
  if (length < 3 || length >= NAME_SIZE) return NULL;
  memcpy(name, text, length);
  name[length] = 0;
  return *end == '>' ? end + 1 : end;
}

static const char *parse_number(const char *text, int limit, int *number) {
  if (!isdigit((unsigned char)*text)) return NULL;
  *number = 0;
  for (; isdigit((unsigned char)*text); text++) {
    *number = *number * 10 + (*text - '0');
    if (*number > limit) return NULL;
  }
  return text;
}

/* [+-]hours[:minutes[:seconds]] */
static const char *parse_time(const char *text, long *seconds) {
  int negative = *text == '-', parts[3] = {0};
  if (*text == '-' || *text == '+') text++;
  for (int i = 0; i < 3; i++) {
    if (i > 0) {
      if (*text != ':') break;
      text++;
    }
    if (!(text = parse_number(text, i == 0 ? 167 : 59, &parts[i]))) return NULL;
  }
  long size = parts[0] * 3600L + parts[1] * 60L + parts[2];
  *seconds = negative ? -size : size;
  return text;
}

static const char *parse_rule(const char *text, Rule *rule) {
  rule->seconds = 7200;
  if (*text == 'M') {
    rule->kind = WEEKDAY;
    if (!(text = parse_number(text + 1, 12, &rule->month)) || *text != '.') return NULL;
    if (!(text = parse_number(text + 1, 5, &rule->week)) || *text != '.') return NULL;
    text = parse_number(text + 1, 6, &rule->day);
    if (rule->month == 0 || rule->week == 0) return NULL;
  } else {
    rule->kind = *text == 'J' ? JULIAN : DAY_OF_YEAR;
    text = parse_number(text + (*text == 'J'), 365, &rule->day);
  }
  if (!text) return NULL;
  return *text == '/' ? parse_time(text + 1, &rule->seconds) : text;
}

static int parse_zone(const char *text) {
  long west;
  if (!(text = parse_name(text, standard_name)) || !(text = parse_time(text, &west))) return 0;
  standard_east = summer_east = -west;
  has_summer = 0;
  if (*text == 0) return 1;
  if (!(text = parse_name(text, summer_name))) return 0;
  has_summer = 1;
  summer_east = standard_east + 3600;
  if (*text != 0 && *text != ',') {
    if (!(text = parse_time(text, &west))) return 0;
    summer_east = -west;
  }
  if (*text == 0) text = ",M3.2.0,M11.1.0";
  if (*text != ',' || !(text = parse_rule(text + 1, &summer_start))) return 0;
  if (*text != ',' || !(text = parse_rule(text + 1, &summer_end))) return 0;
  return *text == 0;
}

void tzset(void) {
  const char *text = getenv("TZ");
  if (text && *text == ':') text++;
  if (!text || !parse_zone(text)) {
    strcpy(standard_name, "UTC");
    standard_east = summer_east = 0;
    has_summer = 0;
  }
  if (!has_summer) strcpy(summer_name, standard_name);
  timezone = -standard_east;
  daylight = has_summer;
}

/*
 * The moment of the change in this year, in seconds of a clock that shows the time before it.
 */
static long moment_of(const Rule *rule, long year) {
  long day;
  if (rule->kind == WEEKDAY) {
    static const char lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int month = rule->month - 1, length = lengths[month] + (month == 1 && __rz_is_leap_year(year));
    long first = __rz_days_to(year, month, 1);
    int weekday = (int)(((first + 4) % 7 + 7) % 7);
    int date = (rule->day - weekday + 7) % 7 + (rule->week - 1) * 7;
    while (date >= length) date -= 7;
    day = first + date;
  } else {
    int skipped_leap_day = rule->kind == JULIAN && rule->day >= 60 && __rz_is_leap_year(year);
    day = __rz_days_to(year, 0, 1) + rule->day - (rule->kind == JULIAN) + skipped_leap_day;
  }
  return day * __RZ_DAY + rule->seconds;
}

__rz_zone __rz_zone_at(time_t moment) {
  __rz_zone zone = {standard_east, 0, standard_name};
  struct tm local;
  if (!has_summer || __rz_break_down(moment + standard_east, &local) != 0) return zone;
  long year = local.tm_year + 1900L;
  long start = moment_of(&summer_start, year) - standard_east, end = moment_of(&summer_end, year) - summer_east;
  /* In the southern hemisphere daylight saving time includes the turn of the year. */
  int is_summer = start < end ? moment >= start && moment < end : moment >= start || moment < end;
  return is_summer ? (__rz_zone){summer_east, 1, summer_name} : zone;
}

int __rz_zone_offsets(long *standard, long *summer) {
  *standard = standard_east;
  *summer = summer_east;
  return has_summer;
}
