#include "format.h"

#define FRACTION_BITS 52
#define SPECIAL 0x7ff

RZ_RAW_BEGIN

static struct __rz_binary take_apart(double value) {
  uint64_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  int field = (int)(bits >> FRACTION_BITS) & SPECIAL;
  uint64_t fraction = bits & (((uint64_t)1 << FRACTION_BITS) - 1);
  struct __rz_binary parts = {
      .kind = field != SPECIAL ? BINARY_FINITE : fraction ? BINARY_NAN : BINARY_INFINITE,
      .negative = (int)(bits >> 63),
      .exponent = (field == 0 ? 1 : field) - 1023 - FRACTION_BITS,
      .bits = FRACTION_BITS + 1,
      .low = field == 0 ? fraction : fraction | (uint64_t)1 << FRACTION_BITS,
  };
  return parts;
}

void __rz_format_double(struct __rz_sink *sink, const struct __rz_spec *spec, double value) {
  struct __rz_binary parts = take_apart(value);
  if ((spec->conversion | 0x20) == 'a' && parts.kind == BINARY_FINITE) {
    __rz_format_hex_float(sink, spec, &parts);
    return;
  }
  uint32_t words[DOUBLE_WORDS];
  uint32_t limbs[DOUBLE_LIMBS];
  char text[DOUBLE_DIGITS];
  __rz_format_decimal_float(sink, spec, &parts, words, limbs, text);
}

RZ_RAW_END
