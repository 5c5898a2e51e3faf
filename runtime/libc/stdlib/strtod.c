#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "engine.h"
#include "float-text.h"

#define FRACTION_BITS 52
#define WORDS 100

static const struct __rz_float_format format = {
    .bits = FRACTION_BITS + 1,
    .lowest = -1074,
    .highest = 971,
    .least_power = -324,
    .most_power = 310,
    .most_digits = 800,
    .words = WORDS,
};

static const double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

__attribute__((noinline)) static void store_end(char **end, const char *at) { *end = (char *)at; }

RZ_RAW_BEGIN

/*
 * Up to 15 digits and 10^22 are exact doubles, so one multiplication or division rounds correctly.
 */
static int is_easy(const struct __rz_float_text *text) {
  return text->kind == TEXT_DECIMAL && text->count > 0 && text->count <= 15 && text->exponent >= -22 && text->exponent <= 22;
}

static double easy(const struct __rz_float_text *text) {
  long digits = 0;
  long left = text->count;
  for (const char *at = text->digits; left > 0; at++) {
    if (*at == '.') continue;
    digits = digits * 10 + (*at - '0');
    left--;
  }
  double value = (double)digits;
  return text->exponent < 0 ? value / powers_of_ten[-text->exponent] : value * powers_of_ten[text->exponent];
}

static double pack(struct __rz_rounded rounded) {
  uint64_t bits = rounded.low & (((uint64_t)1 << FRACTION_BITS) - 1);
  int is_normal = rounded.low >> FRACTION_BITS != 0;
  if (is_normal) bits |= (uint64_t)(rounded.exponent - format.lowest + 1) << FRACTION_BITS;
  double value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

static double convert(const struct __rz_float_text *text, int *error) {
  if (text->kind == TEXT_INFINITY) return HUGE_VAL;
  if (text->kind == TEXT_NAN) return __builtin_nan("");
  if (is_easy(text)) return easy(text);
  uint32_t words[WORDS];
  struct __rz_rounded rounded = __rz_round_float(text, &format, words);
  if (rounded.kind == ROUNDED_OVERFLOW) {
    *error = ERANGE;
    return HUGE_VAL;
  }
  if (rounded.is_inexact && rounded.is_tiny) *error = ERANGE;
  return pack(rounded);
}

struct conversion {
  double value;
  int error; /* an errno */
  size_t used, read;
};

static void convert_text(const char *text, size_t limit, struct conversion *out) {
  *out = (struct conversion){0};
  struct __rz_float_text number = __rz_read_float_text(text, limit);
  out->used = number.used;
  out->read = number.read;
  if (number.kind == TEXT_NONE) return;
  double magnitude = convert(&number, &out->error);
  out->value = number.negative ? -magnitude : magnitude;
}

RZ_RAW_ENTRY static double convert_given(const char *text, char **end) {
  struct conversion number;
  convert_text(text, SIZE_MAX, &number);
  size_t seen = __rz_range_scan(text, number.read);
  if (seen != number.read) convert_text(text, seen, &number);
  if (number.error) errno = number.error;
  if (end) store_end(end, text + number.used);
  return number.value;
}

double __rz_own_double(const char *text) {
  struct conversion number;
  convert_text(text, SIZE_MAX, &number);
  if (number.error) errno = number.error;
  return number.value;
}

RZ_RAW_END

double strtod(const char *restrict text, char **restrict end) { return convert_given(text, end); }
