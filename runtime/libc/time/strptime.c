/*
 * strptime: the inverse of strftime. Blanks in the format match any blanks; a number may be
 * preceded by blanks and has at most as many digits as its range needs. At the end the weekday and
 * the day of the year are computed if the date is complete. Fields that the text did not set are
 * not read either: the caller need not have set them.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "calendar.h"
#include "engine.h"

/* Values of the text that a struct tm cannot hold until all of it has been read. */
typedef struct {
  int century, year_of_century, is_pm, hour12;
  int has_year, has_month, has_day, has_day_of_year, has_weekday;
} Said;

static const char *skip_blanks(const char *text) {
  while (isspace((unsigned char)*text)) text++;
  return text;
}

/* Reads a number between the limits; null if there is none. */
static const char *read_number(const char *text, int lowest, int highest, int digits, int *value) {
  text = skip_blanks(text);
  if (!isdigit((unsigned char)*text)) return NULL;
  *value = 0;
  for (; digits != 0 && isdigit((unsigned char)*text); digits--) *value = *value * 10 + (*text++ - '0');
  return *value >= lowest && *value <= highest ? text : NULL;
}

/* Reads one of the names, in full or abbreviated to three letters. */
static const char *read_name(const char *text, const char *const *names, int count, int *index) {
  for (int i = 0; i < count; i++) {
    size_t length = strlen(names[i]);
    if (strncasecmp(text, names[i], length) != 0) length = 3;
    if (strncasecmp(text, names[i], length) != 0) continue;
    *index = i;
    return text + length;
  }
  return NULL;
}

/* Z, or [+-]hh[[:]mm] */
static const char *read_offset(const char *text, struct tm *t) {
  text = skip_blanks(text);
  if (*text == 'Z') {
    t->tm_gmtoff = 0;
    return text + 1;
  }
  if (*text != '+' && *text != '-') return NULL;
  int negative = *text++ == '-', hours, minutes = 0;
  if (!isdigit((unsigned char)*text) || !(text = read_number(text, 0, 14, 2, &hours))) return NULL;
  if (*text == ':') text++;
  if (isdigit((unsigned char)*text) && !(text = read_number(text, 0, 59, 2, &minutes))) return NULL;
  long offset = hours * 3600L + minutes * 60L;
  t->tm_gmtoff = negative ? -offset : offset;
  return text;
}

static const char *read_year(const char *text, struct tm *t) {
  int negative, year;
  text = skip_blanks(text);
  negative = *text == '-';
  if (*text == '-' || *text == '+') text++;
  if (!(text = read_number(text, 0, 9999, 4, &year))) return NULL;
  t->tm_year = (negative ? -year : year) - 1900;
  return text;
}

static const char *read_format(const char *text, const char *format, struct tm *t, Said *said);

static const char *read_conversion(const char *text, char conversion, struct tm *t, Said *said) {
  int number;
  switch (conversion) {
    case 'a':
    case 'A': said->has_weekday = 1; return read_name(skip_blanks(text), __rz_day_names, 7, &t->tm_wday);
    case 'b':
    case 'B':
    case 'h': said->has_month = 1; return read_name(skip_blanks(text), __rz_month_names, 12, &t->tm_mon);
    case 'c': return read_format(text, "%a %b %e %H:%M:%S %Y", t, said);
    case 'C': return read_number(text, 0, 99, 2, &said->century);
    case 'd':
    case 'e': said->has_day = 1; return read_number(text, 1, 31, 2, &t->tm_mday);
    case 'D':
    case 'x': return read_format(text, "%m/%d/%y", t, said);
    case 'F': return read_format(text, "%Y-%m-%d", t, said);
    case 'g':
    case 'U':
    case 'V':
    case 'W': return read_number(text, 0, 99, 2, &number); /* read and ignored: it does not determine a date */
    case 'G': return read_number(text, 0, 9999, 4, &number);
    case 'H':
    case 'k': said->hour12 = 0; return read_number(text, 0, 23, 2, &t->tm_hour);
    case 'I':
    case 'l':
      if (!(text = read_number(text, 1, 12, 2, &t->tm_hour))) return NULL;
      t->tm_hour %= 12;
      said->hour12 = 1;
      return text;
    case 'j':
      if (!(text = read_number(text, 1, 366, 3, &number))) return NULL;
      t->tm_yday = number - 1;
      said->has_day_of_year = 1;
      return text;
    case 'm':
      if (!(text = read_number(text, 1, 12, 2, &number))) return NULL;
      t->tm_mon = number - 1;
      said->has_month = 1;
      return text;
    case 'M': return read_number(text, 0, 59, 2, &t->tm_min);
    case 'n':
    case 't': return skip_blanks(text);
    case 'p':
    case 'P':
      if (strncasecmp(text, "AM", 2) != 0 && strncasecmp(text, "PM", 2) != 0) return NULL;
      said->is_pm = tolower((unsigned char)*text) == 'p';
      return text + 2;
    case 'r': return read_format(text, "%I:%M:%S %p", t, said);
    case 'R': return read_format(text, "%H:%M", t, said);
    case 's': {
      text = skip_blanks(text);
      if (!isdigit((unsigned char)*text)) return NULL;
      time_t moment = 0;
      for (; isdigit((unsigned char)*text); text++)
        if (__builtin_mul_overflow(moment, 10, &moment) || __builtin_add_overflow(moment, *text - '0', &moment)) return NULL;
      return localtime_r(&moment, t) ? text : NULL;
    }
    case 'S': return read_number(text, 0, 61, 2, &t->tm_sec);
    case 'T':
    case 'X': return read_format(text, "%H:%M:%S", t, said);
    case 'u':
      if (!(text = read_number(text, 1, 7, 1, &number))) return NULL;
      t->tm_wday = number % 7;
      said->has_weekday = 1;
      return text;
    case 'w': said->has_weekday = 1; return read_number(text, 0, 6, 1, &t->tm_wday);
    case 'y': return read_number(text, 0, 99, 2, &said->year_of_century);
    case 'Y':
      said->century = said->year_of_century = -1;
      said->has_year = 1;
      return read_year(text, t);
    case 'z': return read_offset(text, t);
    case 'Z':
      while (isalpha((unsigned char)*text)) text++;
      return text;
    case '%': text = skip_blanks(text); return *text == '%' ? text + 1 : NULL;
    default: return NULL;
  }
}

static const char *read_format(const char *text, const char *format, struct tm *t, Said *said) {
  for (; text && *format; format++) {
    if (isspace((unsigned char)*format)) {
      text = skip_blanks(text);
    } else if (*format != '%') {
      if (*text++ != *format) return NULL;
    } else {
      format++;
      while (*format && strchr("_-0^#", *format)) format++;
      if (*format == 'E' || *format == 'O') format++;
      if (*format == 0) return NULL;
      text = read_conversion(text, *format, t, said);
    }
  }
  return text;
}

char *strptime(const char *restrict text, const char *restrict format, struct tm *restrict t) {
  Said said = {.century = -1, .year_of_century = -1};
  if (*format) __rz_range_read(text, 1); /* below, null means that the text does not match */
  text = read_format(text, format, t, &said);
  if (!text) return NULL;
  if (said.hour12 && said.is_pm) t->tm_hour += 12;
  if (said.century >= 0 || said.year_of_century >= 0) {
    int year = said.year_of_century >= 0 ? said.year_of_century : 0;
    t->tm_year = said.century >= 0 ? (said.century - 19) * 100 + year : year < 69 ? 100 + year : year;
    said.has_year = 1;
  }
  int has_date = said.has_year && said.has_month && said.has_day;
  if (has_date || (said.has_year && said.has_day_of_year)) {
    long day = has_date ? __rz_days_to(t->tm_year + 1900L, t->tm_mon, t->tm_mday)
                        : __rz_days_to(t->tm_year + 1900L, 0, t->tm_yday + 1L);
    struct tm found;
    if (__rz_break_down(day * __RZ_DAY, &found) != 0) return NULL;
    t->tm_mon = found.tm_mon;
    t->tm_mday = found.tm_mday;
    if (!said.has_weekday) t->tm_wday = found.tm_wday;
    t->tm_yday = found.tm_yday;
  }
  return (char *)text;
}
