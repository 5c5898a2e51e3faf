/* strtold converts to the quad format; the longest conversions need big integers of 5 KB. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "engine.h"
#include "float-text.h"

#define WORDS 1220
#define ONE_BIT ((uint64_t)1 << 48) /* of the high half: the leading bit of a normal significand */

static const struct __rz_float_format format = {
    .bits = 113,
    .lowest = -16494,
    .highest = 16271,
    .least_power = -4966,
    .most_power = 4934,
    .most_digits = 11600,
    .words = WORDS,
};

__attribute__((noinline)) static void store_end(char **end, const char *at) { *end = (char *)at; }

RZ_RAW_BEGIN

static long double pack(struct __rz_rounded rounded) {
  uint64_t halves[2] = {rounded.low, rounded.high & (ONE_BIT - 1)};
  if (rounded.high & ONE_BIT) halves[1] |= (uint64_t)(rounded.exponent - format.lowest + 1) << 48;
  long double value;
  __builtin_memcpy(&value, halves, sizeof value);
  return value;
}

static long double convert(const struct __rz_float_text *text, int *error) {
  if (text->kind == TEXT_INFINITY) return HUGE_VALL;
  if (text->kind == TEXT_NAN) return __builtin_nanl("");
  uint32_t words[WORDS];
  struct __rz_rounded rounded = __rz_round_float(text, &format, words);
  if (rounded.kind == ROUNDED_OVERFLOW) {
    *error = ERANGE;
    return HUGE_VALL;
  }
  if (rounded.is_inexact && rounded.is_tiny) *error = ERANGE;
  return pack(rounded);
}

struct conversion {
  long double value;
  int error; /* an errno */
  size_t used, read;
};

static void convert_text(const char *text, size_t limit, struct conversion *out) {
  *out = (struct conversion){0};
  struct __rz_float_text number = __rz_read_float_text(text, limit);
  out->used = number.used;
  out->read = number.read;
  if (number.kind == TEXT_NONE) return;
  long double magnitude = convert(&number, &out->error);
  out->value = number.negative ? -magnitude : magnitude;
}

RZ_RAW_ENTRY static long double convert_given(const char *text, char **end) {
  struct conversion number;
  convert_text(text, SIZE_MAX, &number);
  size_t seen = __rz_range_scan(text, number.read);
  if (seen != number.read) convert_text(text, seen, &number);
  if (number.error) errno = number.error;
  if (end) store_end(end, text + number.used);
  return number.value;
}

long double __rz_own_long_double(const char *text) {
  struct conversion number;
  convert_text(text, SIZE_MAX, &number);
  if (number.error) errno = number.error;
  return number.value;
}

RZ_RAW_END

long double strtold(const char *restrict text, char **restrict end) { return convert_given(text, end); }
