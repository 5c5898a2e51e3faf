#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "engine.h"
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

__attribute__((noinline)) static void store_end(char **end, const char *at) { *end = (char *)at; }

RZ_RAW_BEGIN

static float pack(struct __rz_rounded rounded) {
  uint32_t bits = (uint32_t)rounded.low & ((1u << FRACTION_BITS) - 1);
  int is_normal = rounded.low >> FRACTION_BITS != 0;
  if (is_normal) bits |= (uint32_t)(rounded.exponent - format.lowest + 1) << FRACTION_BITS;
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

static float convert(const struct __rz_float_text *text, int *error) {
  if (text->kind == TEXT_INFINITY) return HUGE_VALF;
  if (text->kind == TEXT_NAN) return __builtin_nanf("");
  uint32_t words[WORDS];
  struct __rz_rounded rounded = __rz_round_float(text, &format, words);
  if (rounded.kind == ROUNDED_OVERFLOW) {
    *error = ERANGE;
    return HUGE_VALF;
  }
  if (rounded.is_inexact && rounded.is_tiny) *error = ERANGE;
  return pack(rounded);
}

struct conversion {
  float value;
  int error; /* an errno */
  size_t used, read;
};

static void convert_text(const char *text, size_t limit, struct conversion *out) {
  *out = (struct conversion){0};
  struct __rz_float_text number = __rz_read_float_text(text, limit);
  out->used = number.used;
  out->read = number.read;
  if (number.kind == TEXT_NONE) return;
  float magnitude = convert(&number, &out->error);
  out->value = number.negative ? -magnitude : magnitude;
}

RZ_RAW_ENTRY static float convert_given(const char *text, char **end) {
  struct conversion number;
  convert_text(text, SIZE_MAX, &number);
  size_t seen = __rz_range_scan(text, number.read);
  if (seen != number.read) convert_text(text, seen, &number);
  if (number.error) errno = number.error;
  if (end) store_end(end, text + number.used);
  return number.value;
}

float __rz_own_float(const char *text) {
  struct conversion number;
  convert_text(text, SIZE_MAX, &number);
  if (number.error) errno = number.error;
  return number.value;
}

RZ_RAW_END

float strtof(const char *restrict text, char **restrict end) { return convert_given(text, end); }
