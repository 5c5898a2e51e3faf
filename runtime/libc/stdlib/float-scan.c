/*
 * The grammar of numbers: blanks, a sign, then infinity, nan, 0x..., or decimal digits with a point
 * and an exponent.
 */
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "float-text.h"

#define EXPONENT_LIMIT (LONG_MAX / 1000) /* beyond any format, and far from overflow */

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int is_hex_digit(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }

/* The length of `word` if the text starts with it in any case, or 0. */
static size_t matches(const char *text, const char *word) {
  size_t n = 0;
  for (; word[n]; n++) {
    if ((text[n] | 0x20) != word[n]) return 0;
  }
  return n;
}

/* An exponent with its letter, if there are digits after it; else nothing. */
static const char *scan_exponent(const char *at, char letter, long *exponent) {
  if ((*at | 0x20) != letter) return at;
  const char *digits = at + 1;
  int negative = *digits == '-';
  if (*digits == '-' || *digits == '+') digits++;
  if (!is_digit(*digits)) return at;
  long value = 0;
  for (; is_digit(*digits); digits++) {
    if (value < EXPONENT_LIMIT) value = value * 10 + (*digits - '0');
  }
  *exponent += negative ? -value : value;
  return digits;
}

/*
 * Digits with at most one point among them. Zeros at both ends are left out; `weight` is the
 * exponent of one digit.
 */
static const char *scan_digits(struct __rz_float_text *out, const char *at, int (*accepts)(char), long weight) {
  long zeros = 0;       /* since the last digit that counts */
  long after_point = 0; /* digits behind the point */
  int has_point = 0;
  for (;; at++) {
    if (*at == '.' && !has_point) {
      has_point = 1;
      continue;
    }
    if (!accepts(*at)) break;
    after_point += has_point;
    if (*at == '0') {
      zeros += out->count > 0;
      continue;
    }
    if (out->count == 0) out->digits = at;
    out->count += zeros + 1;
    zeros = 0;
  }
  out->exponent = (zeros - after_point) * weight;
  return at;
}

static int starts_number(const char *at, int (*accepts)(char)) { return accepts(*at) || (*at == '.' && accepts(at[1])); }

static const char *scan_nan(const char *at) {
  at += 3;
  if (*at != '(') return at;
  const char *inside = at + 1;
  while (is_digit(*inside) || *inside == '_' || ((*inside | 0x20) >= 'a' && (*inside | 0x20) <= 'z')) inside++;
  return *inside == ')' ? inside + 1 : at;
}

struct __rz_float_text __rz_read_float_text(const char *text) {
  struct __rz_float_text out = {.kind = TEXT_NONE, .end = text};
  const char *at = text;
  while (isspace((unsigned char)*at)) at++;
  if (*at == '-' || *at == '+') out.negative = *at++ == '-';

  if (matches(at, "inf")) {
    size_t whole = matches(at, "infinity");
    out.kind = TEXT_INFINITY;
    out.end = at + (whole ? whole : 3);
  } else if (matches(at, "nan")) {
    out.kind = TEXT_NAN;
    out.end = scan_nan(at);
  } else if (at[0] == '0' && (at[1] | 0x20) == 'x' && starts_number(at + 2, is_hex_digit)) {
    out.kind = TEXT_HEX;
    at = scan_digits(&out, at + 2, is_hex_digit, 4);
    out.end = scan_exponent(at, 'p', &out.exponent);
  } else if (starts_number(at, is_digit)) {
    out.kind = TEXT_DECIMAL;
    at = scan_digits(&out, at, is_digit, 1);
    out.end = scan_exponent(at, 'e', &out.exponent);
  }
  return out;
}
