/*
 * strfmon in the locale C, which has no currency, no grouping, and the sign in front:
 *
 *   % [=f] [^] [+ or (] [!] [-] [width] [#digits before the point] [.digits after it] i or n
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <monetary.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct conversion {
  char fill;
  int in_parentheses, is_left;
  int width, before, after;
};

static int number(const char **at, int otherwise) {
  if (!isdigit((unsigned char)**at)) return otherwise;
  int value = 0;
  while (isdigit((unsigned char)**at) && value < 100000) value = value * 10 + *(*at)++ - '0';
  return value;
}

/* Reads what is behind the percent sign; null if it is no conversion. */
static const char *parse(const char *at, struct conversion *into) {
  *into = (struct conversion){.fill = ' ', .before = -1};
  for (;; at++) {
    if (*at == '=' && at[1]) into->fill = *++at;
    else if (*at == '(') into->in_parentheses = 1;
    else if (*at == '-') into->is_left = 1;
    else if (!*at || !strchr("^+!", *at)) break;
  }
  into->width = number(&at, 0);
  if (*at == '#') at++, into->before = number(&at, 0);
  into->after = 2;
  if (*at == '.') at++, into->after = number(&at, 0);
  return *at == 'i' || *at == 'n' ? at + 1 : 0;
}

/* The amount without padding to the width. A place for the sign is kept if `#` was given. */
static char *amount(const struct conversion *conversion, double value) {
  char *digits, *text = 0;
  if (asprintf(&digits, "%.*f", conversion->after, fabs(value)) < 0) return 0;
  const int is_negative = signbit(value) && !isnan(value);
  const int whole = (int)strcspn(digits, "."), fill = conversion->before > whole ? conversion->before - whole : 0;
  char *filled = malloc((size_t)fill + 1);
  if (filled) {
    memset(filled, conversion->fill, (size_t)fill);
    filled[fill] = 0;
    const char *space = conversion->before >= 0 ? " " : "";
    const char *left = is_negative ? conversion->in_parentheses ? "(" : "-" : space;
    const char *right = conversion->in_parentheses ? is_negative ? ")" : space : "";
    if (asprintf(&text, "%s%s%s%s", left, filled, digits, right) < 0) text = 0;
  }
  free(filled);
  free(digits);
  return text;
}

static ssize_t append(char *text, size_t n, size_t at, const char *part, const struct conversion *conversion) {
  const size_t length = strlen(part), width = (size_t)conversion->width, pad = width > length ? width - length : 0;
  if (at + length + pad >= n) {
    errno = E2BIG;
    return -1;
  }
  snprintf(text + at, n - at, conversion->is_left ? "%-*s" : "%*s", conversion->width, part);
  return (ssize_t)(length + pad);
}

static ssize_t format_amounts(char *text, size_t n, const char *format, va_list arguments) {
  size_t at = 0;
  while (*format) {
    if (*format != '%' || format[1] == '%') {
      if (at + 1 >= n) break;
      text[at++] = *format;
      format += *format == '%' ? 2 : 1;
      continue;
    }
    struct conversion conversion;
    format = parse(format + 1, &conversion);
    if (!format) {
      errno = EINVAL;
      return -1;
    }
    char *part = amount(&conversion, va_arg(arguments, double));
    if (!part) return -1;
    const ssize_t written = append(text, n, at, part, &conversion);
    free(part);
    if (written < 0) return -1;
    at += (size_t)written;
  }
  if (*format || at >= n) {
    errno = E2BIG;
    return -1;
  }
  text[at] = 0;
  return (ssize_t)at;
}

ssize_t strfmon(char *restrict text, size_t n, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const ssize_t written = format_amounts(text, n, format, arguments);
  va_end(arguments);
  return written;
}

ssize_t strfmon_l(char *restrict text, size_t n, locale_t locale, const char *restrict format, ...) {
  (void)locale;
  va_list arguments;
  va_start(arguments, format);
  const ssize_t written = format_amounts(text, n, format, arguments);
  va_end(arguments);
  return written;
}
