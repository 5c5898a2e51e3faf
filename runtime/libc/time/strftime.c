/*
 * strftime, in the C locale: every conversion of C11 and POSIX, and GNU's k l P s with its flags
 * and widths:
 *
 *   % [_ - 0 ^ #] [width] [E or O] conversion
 *
 * The text is written piece by piece to `Output`, which counts the characters that did not fit.
 */
#include <ctype.h>
#include <string.h>
#include <time.h>

#include "calendar.h"
#include "decimal.h"

typedef struct {
  char *text;
  size_t size, length;
} Output;

typedef struct {
  char padding;  /* '_', '-', '0', or 0 for the default of the conversion */
  char change;   /* '^' for upper case, '#' for the opposite case, or 0 */
  int width;     /* -1 for the default of the conversion */
} Style;

static void put(Output *out, char c) {
  if (out->length + 1 < out->size) out->text[out->length] = c;
  out->length++;
}

static void put_padding(Output *out, char c, long count) {
  while (count-- > 0) put(out, c);
}

static char changed(char c, char change) {
  unsigned char u = (unsigned char)c;
  if (change == '^') return (char)toupper(u);
  if (change == 'l') return (char)tolower(u);
  return c;
}

static void put_text(Output *out, const Style *style, const char *text) {
  size_t length = strlen(text);
  put_padding(out, style->padding == '0' ? '0' : ' ', style->width - (long)length);
  for (size_t i = 0; i < length; i++) put(out, changed(text[i], style->change));
}

/*
 * A number of at least `digits` characters, padded with `padding` unless the style says otherwise.
 */
static void put_number(Output *out, const Style *style, long value, int digits, char padding) {
  char buffer[__RZ_DECIMAL_SIZE];
  const char *text = __rz_decimal(buffer, value);
  if (style->padding) padding = style->padding;
  long width = style->width >= 0 ? style->width : digits;
  if (padding == '-') width = 0;
  long missing = width - (long)strlen(text);
  if (padding == '_') {
    put_padding(out, ' ', missing);
  } else if (*text == '-') {
    put(out, *text++);
  }
  if (padding == '0') put_padding(out, '0', missing);
  while (*text) put(out, *text++);
}

static long floor_modulo(long a, long b) { return (a % b + b) % b; }

/*
 * The week of the year if weeks begin on `first_day`; days before the first such day are in
 * week 0.
 */
static int week(const struct tm *t, int first_day) {
  return (t->tm_yday + 7 - (int)floor_modulo(t->tm_wday - first_day, 7)) / 7;
}

/*
 * ISO 8601: weeks begin on Monday and belong to the year that has most of their days. Week 1
 * contains January 4.
 */
static int iso_week(const struct tm *t, long *year) {
  *year = t->tm_year + 1900L;
  int since_monday = (int)floor_modulo(t->tm_wday - 1, 7), number = (t->tm_yday - since_monday + 10) / 7;
  if (number == 0) { /* in the last week of the previous year */
    --*year;
    int days = 365 + __rz_is_leap_year(*year);
    return (t->tm_yday + days - since_monday + 10) / 7;
  }
  int days = 365 + __rz_is_leap_year(*year);
  if (number == 53 && t->tm_yday - since_monday + 3 >= days) { /* Thursday is in the next year */
    ++*year;
    return 1;
  }
  return number;
}

static const char *name_of(const char *const *names, int count, int index) {
  return index >= 0 && index < count ? names[index] : "?";
}

static void put_short_name(Output *out, const Style *style, const char *name) {
  char text[4];
  strlcpy(text, name, sizeof text);
  put_text(out, style, text);
}

static void put_format(Output *out, const char *format, const struct tm *t, char change);

/* A conversion that stands for several others; the width applies to the whole. */
static void put_composite(Output *out, const Style *style, const char *format, const struct tm *t) {
  Output measure = {NULL, 0, 0};
  put_format(&measure, format, t, style->change);
  put_padding(out, style->padding == '0' ? '0' : ' ', style->width - (long)measure.length);
  put_format(out, format, t, style->change);
}

static void put_zone_offset(Output *out, const Style *style, const struct tm *t) {
  if (t->tm_isdst < 0) return;
  long minutes = t->tm_gmtoff / 60;
  long size = minutes < 0 ? -minutes : minutes;
  long shown = size / 60 * 100 + size % 60;
  put(out, minutes < 0 ? '-' : '+');
  Style digits = *style;
  if (digits.width > 0) digits.width--;
  put_number(out, &digits, shown, 4, '0');
}

static void put_conversion(Output *out, char conversion, Style style, const struct tm *t) {
  long year = t->tm_year + 1900L, other_year;
  int hour12 = t->tm_hour % 12 == 0 ? 12 : t->tm_hour % 12;
  Style opposite = style; /* for names whose opposite case is upper case */
  if (style.change == '#') opposite.change = '^', style.change = 0;
  switch (conversion) {
    case 'a': put_short_name(out, &opposite, name_of(__rz_day_names, 7, t->tm_wday)); break;
    case 'A': put_text(out, &opposite, name_of(__rz_day_names, 7, t->tm_wday)); break;
    case 'b':
    case 'h': put_short_name(out, &opposite, name_of(__rz_month_names, 12, t->tm_mon)); break;
    case 'B': put_text(out, &opposite, name_of(__rz_month_names, 12, t->tm_mon)); break;
    case 'c': put_composite(out, &style, "%a %b %e %H:%M:%S %Y", t); break;
    case 'C': put_number(out, &style, year / 100 - (year % 100 < 0), 2, '0'); break;
    case 'd': put_number(out, &style, t->tm_mday, 2, '0'); break;
    case 'D':
    case 'x': put_composite(out, &style, "%m/%d/%y", t); break;
    case 'e': put_number(out, &style, t->tm_mday, 2, '_'); break;
    case 'F': put_composite(out, &style, "%Y-%m-%d", t); break;
    case 'g': iso_week(t, &other_year), put_number(out, &style, floor_modulo(other_year, 100), 2, '0'); break;
    case 'G': iso_week(t, &other_year), put_number(out, &style, other_year, 1, '0'); break;
    case 'H': put_number(out, &style, t->tm_hour, 2, '0'); break;
    case 'I': put_number(out, &style, hour12, 2, '0'); break;
    case 'j': put_number(out, &style, t->tm_yday + 1L, 3, '0'); break;
    case 'k': put_number(out, &style, t->tm_hour, 2, '_'); break;
    case 'l': put_number(out, &style, hour12, 2, '_'); break;
    case 'm': put_number(out, &style, t->tm_mon + 1L, 2, '0'); break;
    case 'M': put_number(out, &style, t->tm_min, 2, '0'); break;
    case 'n': put(out, '\n'); break;
    case 'p':
      if (opposite.change == '^' && style.change == 0) style.change = 'l';
      put_text(out, &style, t->tm_hour >= 12 ? "PM" : "AM");
      break;
    case 'P': style.change = 'l', put_text(out, &style, t->tm_hour >= 12 ? "PM" : "AM"); break;
    case 'r': put_composite(out, &style, "%I:%M:%S %p", t); break;
    case 'R': put_composite(out, &style, "%H:%M", t); break;
    case 's': {
      struct tm copy = *t;
      put_number(out, &style, mktime(&copy), 1, '0');
      break;
    }
    case 'S': put_number(out, &style, t->tm_sec, 2, '0'); break;
    case 't': put(out, '\t'); break;
    case 'T':
    case 'X': put_composite(out, &style, "%H:%M:%S", t); break;
    case 'u': put_number(out, &style, t->tm_wday == 0 ? 7 : t->tm_wday, 1, '0'); break;
    case 'U': put_number(out, &style, week(t, 0), 2, '0'); break;
    case 'V': put_number(out, &style, iso_week(t, &other_year), 2, '0'); break;
    case 'w': put_number(out, &style, t->tm_wday, 1, '0'); break;
    case 'W': put_number(out, &style, week(t, 1), 2, '0'); break;
    case 'y': put_number(out, &style, floor_modulo(year, 100), 2, '0'); break;
    case 'Y': put_number(out, &style, year, 1, '0'); break;
    case 'z': put_zone_offset(out, &style, t); break;
    case 'Z':
      if (opposite.change == '^' && style.change == 0) style.change = 'l';
      put_text(out, &style, t->tm_isdst < 0 || !t->tm_zone ? "" : t->tm_zone);
      break;
    default: put(out, '%'), put(out, conversion); break;
  }
}

static void put_format(Output *out, const char *format, const struct tm *t, char change) {
  for (; *format; format++) {
    if (*format != '%') {
      put(out, *format);
      continue;
    }
    Style style = {0, change, -1};
    for (format++; *format && strchr("_-0^#", *format); format++)
      *(*format == '^' || *format == '#' ? &style.change : &style.padding) = *format;
    if (isdigit((unsigned char)*format)) {
      style.width = 0;
      for (; isdigit((unsigned char)*format); format++)
        if (style.width < 100000) style.width = style.width * 10 + (*format - '0');
    }
    if (*format == 'E' || *format == 'O') format++;
    if (*format == 0) return;
    if (*format == '%')
      put(out, '%');
    else
      put_conversion(out, *format, style, t);
  }
}

size_t strftime(char *restrict text, size_t size, const char *restrict format, const struct tm *restrict t) {
  Output out = {text, size, 0};
  put_format(&out, format, t, 0);
  if (out.length >= size) return 0;
  text[out.length] = 0;
  return out.length;
}

size_t strftime_l(char *restrict text, size_t size, const char *restrict format, const struct tm *restrict t,
                  locale_t locale) {
  (void)locale;
  return strftime(text, size, format, t);
}
