#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "float-text.h"

#define FRACTION_BITS 23
#define WORDS 24

static const struct __rz_float_format format = {
    .bits = FRACTION_BITS + 1,
    .lowest = -149,
    .highest = 104,
    .least_power = -46,
    .most_power = 40,
    .most_digits = 120,
    .words = WORDS,
};

static float pack(struct __rz_rounded rounded) {
  uint32_t bits = (uint32_t)rounded.low & ((1u << FRACTION_BITS) - 1);
  int is_normal = rounded.low >> FRACTION_BITS != 0;
  if (is_normal) bits |= (uint32_t)(rounded.exponent - format.lowest + 1) << FRACTION_BITS;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static float convert(const struct __rz_float_text *text) {
  if (text->kind == TEXT_INFINITY) return HUGE_VALF;
  if (text->kind == TEXT_NAN) return __builtin_nanf("");
  uint32_t words[WORDS];
  struct __rz_rounded rounded = __rz_round_float(text, &format, words);
  if (rounded.kind == ROUNDED_OVERFLOW) {
    errno = ERANGE;
    return HUGE_VALF;
  }
  if (rounded.is_inexact && rounded.is_tiny) errno = ERANGE;
  return pack(rounded);
}

float strtof(const char *restrict text, char **restrict end) {
  struct __rz_float_text number = __rz_read_float_text(text);
  if (end) *end = (char *)number.end;
  if (number.kind == TEXT_NONE) return 0;
  float magnitude = convert(&number);
  return number.negative ? -magnitude : magnitude;
}
