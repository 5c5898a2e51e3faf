/* The same as format-double.c for the quad format, whose exact digits may be thousands. */
#include "format.h"

#define FRACTION_BITS 112
#define SPECIAL 0x7fff

RZ_RAW_BEGIN

static struct __rz_binary take_apart(long double value) {
  uint64_t halves[2];
  __builtin_memcpy(halves, &value, sizeof halves);
  int field = (int)(halves[1] >> 48) & SPECIAL;
  uint64_t high = halves[1] & (((uint64_t)1 << 48) - 1);
  struct __rz_binary parts = {
      .kind = field != SPECIAL ? BINARY_FINITE : high | halves[0] ? BINARY_NAN : BINARY_INFINITE,
      .negative = (int)(halves[1] >> 63),
      .exponent = (field == 0 ? 1 : field) - 16383 - FRACTION_BITS,
      .bits = FRACTION_BITS + 1,
      .high = field == 0 ? high : high | (uint64_t)1 << 48,
      .low = halves[0],
  };
  return parts;
}

void __rz_format_long_double(struct __rz_sink *sink, const struct __rz_spec *spec, long double value) {
  struct __rz_binary parts = take_apart(value);
  if ((spec->conversion | 0x20) == 'a' && parts.kind == BINARY_FINITE) {
    __rz_format_hex_float(sink, spec, &parts);
    return;
  }
  uint32_t words[QUAD_WORDS];
  uint32_t limbs[QUAD_LIMBS];
  char text[QUAD_DIGITS];
  __rz_format_decimal_float(sink, spec, &parts, words, limbs, text);
}

RZ_RAW_END
