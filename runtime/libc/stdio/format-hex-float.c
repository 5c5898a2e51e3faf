/*
 * %a %A: the significand in hexadecimal, 0x1.8p+1. A normal number starts with 1, a subnormal one
 * with 0. and the exponent of the smallest normal number.
 */
#include "format.h"

RZ_RAW_BEGIN

#define MOST_DIGITS 29 /* of a quad: 1 + 112 / 4 */

/*
 * The hexadecimal digits of the significand, the one before the point first; returns how many
 * follow the point.
 */
static int hex_digits(const struct __rz_binary *value, unsigned char digits[MOST_DIGITS]) {
  int count = (value->bits - 1) / 4;
  for (int i = 0; i <= count; i++) {
    int shift = (count - i) * 4;
    uint64_t part = shift >= 64 ? value->high >> (shift - 64) : value->low >> shift;
    digits[i] = part & 15;
  }
  return count;
}

/* Rounds to `wanted` digits after the point, ties to even. A carry may make the first digit 2. */
static void round_hex(unsigned char *digits, int count, int wanted) {
  if (wanted >= count) return;
  int more = 0;
  for (int i = wanted + 2; i <= count; i++) more |= digits[i];
  int dropped = digits[wanted + 1];
  int up = dropped > 8 || (dropped == 8 && (more || (digits[wanted] & 1)));
  for (int i = wanted; up; i--) {
    up = i > 0 && digits[i] == 15;
    digits[i] = up ? 0 : (unsigned char)(digits[i] + 1);
  }
}

void __rz_format_hex_float(struct __rz_sink *sink, const struct __rz_spec *spec, const struct __rz_binary *value) {
  int upper = spec->conversion == 'A';
  const char *alphabet = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  unsigned char digits[MOST_DIGITS];
  int count = hex_digits(value, digits);
  int exponent = value->high == 0 && value->low == 0 ? 0 : value->exponent + value->bits - 1;
  int precision = spec->precision;
  if (precision < 0) {
    precision = count;
    while (precision > 0 && digits[precision] == 0) precision--;
  }
  round_hex(digits, count, precision);

  char body[MOST_DIGITS + 1];
  int length = 0;
  body[length++] = alphabet[digits[0]];
  if (precision > 0 || (spec->flags & ALTERNATE)) body[length++] = '.';
  for (int i = 1; i <= precision && i <= count; i++) body[length++] = alphabet[digits[i]];
  long zeros = precision > count ? precision - count : 0;

  char suffix[8];
  int suffix_length = 0;
  suffix[suffix_length++] = upper ? 'P' : 'p';
  suffix[suffix_length++] = exponent < 0 ? '-' : '+';
  unsigned magnitude = (unsigned)(exponent < 0 ? -exponent : exponent);
  unsigned scale = 1;
  while (magnitude / scale >= 10) scale *= 10;
  for (; scale > 0; scale /= 10) suffix[suffix_length++] = (char)('0' + magnitude / scale % 10);

  const char *sign = __rz_sign_prefix(spec, value->negative);
  long padding = spec->width - (sign[0] != 0) - 2 - length - zeros - suffix_length;
  int left = spec->flags & ALIGN_LEFT;
  struct __rz_text out;
  __rz_text_begin(&out, sink);
  if (!left && !(spec->flags & ZERO)) __rz_text_fill(&out, ' ', padding);
  __rz_text_put(&out, sign, sign[0] != 0);
  __rz_text_put(&out, upper ? "0X" : "0x", 2);
  if (!left && (spec->flags & ZERO)) __rz_text_fill(&out, '0', padding);
  __rz_text_put(&out, body, length);
  __rz_text_fill(&out, '0', zeros);
  __rz_text_put(&out, suffix, suffix_length);
  if (left) __rz_text_fill(&out, ' ', padding);
  __rz_text_end(&out);
}

RZ_RAW_END
