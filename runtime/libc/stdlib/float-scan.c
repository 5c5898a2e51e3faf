/*
 * The grammar of numbers: blanks, a sign, then infinity, nan, 0x..., or decimal digits with a point
 * and an exponent.
 */
#include <limits.h>

#include "float-text.h"

#define EXPONENT_LIMIT (LONG_MAX / 1000) /* larger than any format's, and far from overflow */

RZ_RAW_BEGIN

struct reader {
  const char *text;
  size_t limit;
  size_t at;   /* the index of the next byte */
  size_t read; /* the number of bytes that were read */
};

/* Returns the byte at distance `ahead` from the next one. */
static char peek(struct reader *in, size_t ahead) {
  size_t at = in->at + ahead;
  if (at >= in->limit) return 0;
  if (at >= in->read) in->read = at + 1;
  return in->text[at];
}

static int is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int is_hex_digit(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }

/* Returns the length of `word` if it comes next, ignoring case, or 0. */
static size_t matches(struct reader *in, const char *word) {
  size_t n = 0;
  for (; word[n]; n++) {
    if ((peek(in, n) | 0x20) != word[n]) return 0;
  }
  return n;
}

/* Reads an exponent with its letter if digits follow it; otherwise reads nothing. */
static void scan_exponent(struct reader *in, char letter, long *exponent) {
  if ((peek(in, 0) | 0x20) != letter) return;
  int negative = peek(in, 1) == '-';
  size_t digits = negative || peek(in, 1) == '+' ? 2 : 1;
  if (!is_digit(peek(in, digits))) return;
  long value = 0;
  for (in->at += digits; is_digit(peek(in, 0)); in->at++) {
    if (value < EXPONENT_LIMIT) value = value * 10 + (peek(in, 0) - '0');
  }
  *exponent += negative ? -value : value;
}

/*
 * Reads digits with at most one point among them. Zeros at both ends are dropped; `weight` is the
 * exponent of one digit.
 */
static void scan_digits(struct __rz_float_text *out, struct reader *in, int (*accepts)(char), long weight) {
  long zeros = 0;       /* since the last digit that is not zero */
  long after_point = 0; /* digits after the point */
  int has_point = 0;
  for (;; in->at++) {
    char c = peek(in, 0);
    if (c == '.' && !has_point) {
      has_point = 1;
      continue;
    }
    if (!accepts(c)) break;
    after_point += has_point;
    if (c == '0') {
      zeros += out->count > 0;
      continue;
    }
    if (out->count == 0) out->digits = in->text + in->at;
    out->count += zeros + 1;
    zeros = 0;
  }
  out->exponent = (zeros - after_point) * weight;
}

static int starts_number(struct reader *in, size_t ahead, int (*accepts)(char)) {
  return accepts(peek(in, ahead)) || (peek(in, ahead) == '.' && accepts(peek(in, ahead + 1)));
}

/* nan, or nan(characters) */
static void scan_nan(struct reader *in) {
  in->at += 3;
  if (peek(in, 0) != '(') return;
  size_t inside = 1;
  for (char c; is_digit(c = peek(in, inside)) || c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');) inside++;
  if (peek(in, inside) == ')') in->at += inside + 1;
}

static void scan_number(struct __rz_float_text *out, struct reader *in) {
  while (is_blank(peek(in, 0))) in->at++;
  if (peek(in, 0) == '-' || peek(in, 0) == '+') out->negative = peek(in, 0) == '-', in->at++;

  if (matches(in, "inf")) {
    size_t whole = matches(in, "infinity");
    out->kind = TEXT_INFINITY;
    in->at += whole ? whole : 3;
  } else if (matches(in, "nan")) {
    out->kind = TEXT_NAN;
    scan_nan(in);
  } else if (peek(in, 0) == '0' && (peek(in, 1) | 0x20) == 'x' && starts_number(in, 2, is_hex_digit)) {
    out->kind = TEXT_HEX;
    in->at += 2;
    scan_digits(out, in, is_hex_digit, 4);
    scan_exponent(in, 'p', &out->exponent);
  } else if (starts_number(in, 0, is_digit)) {
    out->kind = TEXT_DECIMAL;
    scan_digits(out, in, is_digit, 1);
    scan_exponent(in, 'e', &out->exponent);
  }
}

struct __rz_float_text __rz_read_float_text(const char *text, size_t limit) {
  struct __rz_float_text out = {.kind = TEXT_NONE};
  struct reader in = {text, limit, 0, 0};
  scan_number(&out, &in);
  out.used = out.kind == TEXT_NONE ? 0 : in.at;
  out.read = in.read;
  return out;
}

RZ_RAW_END
