/* %f %F %e %E %g %G: lays out the digits that decimal-digits.c finds. */
#include "format.h"

RZ_RAW_BEGIN

/*
 * How many characters of each kind make up the number; all are counted before the first is written.
 */
struct layout {
  const char *prefix;
  long integer_digits; /* before the point; at least one */
  long fraction_digits;
  int shows_point;
  char suffix[8]; /* the exponent */
  int suffix_length;
};

static long clamp(long n, long low, long high) { return n < low ? low : n > high ? high : n; }

/*
 * Digits `from` to `to` of the number, counted from its first one; zeros stand on either side of
 * what is there.
 */
static void put_digits(struct __rz_text *out, const struct __rz_digits *digits, long from, long to) {
  long before = clamp(0, from, to);
  long after = clamp(digits->count, before, to);
  __rz_text_fill(out, '0', before - from);
  __rz_text_put(out, digits->text + before, after - before);
  __rz_text_fill(out, '0', to - after);
}

static void make_exponent(struct layout *layout, int exponent, char letter) {
  char *at = layout->suffix;
  *at++ = letter;
  *at++ = exponent < 0 ? '-' : '+';
  unsigned n = (unsigned)(exponent < 0 ? -exponent : exponent);
  unsigned scale = 10; /* two digits at least */
  while (n / scale >= 10) scale *= 10;
  for (; scale > 0; scale /= 10) *at++ = (char)('0' + n / scale % 10);
  layout->suffix_length = (int)(at - layout->suffix);
}

static void put_number(struct __rz_sink *sink, const struct __rz_spec *spec, const struct __rz_digits *digits,
                       const struct layout *layout, long first) {
  int sign_length = layout->prefix[0] != 0;
  long length = sign_length + layout->integer_digits + layout->shows_point + layout->fraction_digits +
                layout->suffix_length;
  long padding = spec->width - length;
  int left = spec->flags & ALIGN_LEFT;
  struct __rz_text out;
  __rz_text_begin(&out, sink);
  if (!left && !(spec->flags & ZERO)) __rz_text_fill(&out, ' ', padding);
  __rz_text_put(&out, layout->prefix, sign_length);
  if (!left && (spec->flags & ZERO)) __rz_text_fill(&out, '0', padding);
  long point = first + layout->integer_digits;
  put_digits(&out, digits, first, point);
  __rz_text_put(&out, ".", layout->shows_point);
  put_digits(&out, digits, point, point + layout->fraction_digits);
  __rz_text_put(&out, layout->suffix, layout->suffix_length);
  if (left) __rz_text_fill(&out, ' ', padding);
  __rz_text_end(&out);
}

static void put_special(struct __rz_sink *sink, const struct __rz_spec *spec, const struct __rz_binary *value, int upper) {
  const char *text = value->kind == BINARY_NAN ? (upper ? "NAN" : "nan") : (upper ? "INF" : "inf");
  const char *sign = __rz_sign_prefix(spec, value->negative);
  long padding = spec->width - (sign[0] != 0) - 3;
  struct __rz_text out;
  __rz_text_begin(&out, sink);
  if (!(spec->flags & ALIGN_LEFT)) __rz_text_fill(&out, ' ', padding);
  __rz_text_put(&out, sign, sign[0] != 0);
  __rz_text_put(&out, text, 3);
  if (spec->flags & ALIGN_LEFT) __rz_text_fill(&out, ' ', padding);
  __rz_text_end(&out);
}

void __rz_format_decimal_float(struct __rz_sink *sink, const struct __rz_spec *spec, const struct __rz_binary *value,
                               uint32_t *words, uint32_t *limbs, char *text) {
  int upper = spec->conversion >= 'A' && spec->conversion <= 'Z';
  if (value->kind != BINARY_FINITE) {
    put_special(sink, spec, value, upper);
    return;
  }
  char style = (char)(spec->conversion | 0x20);
  int precision = spec->precision < 0 ? 6 : spec->precision;
  struct __rz_digits digits = {text, 0, 0};
  struct layout layout = {.prefix = __rz_sign_prefix(spec, value->negative)};

  if (style == 'f') {
    __rz_decimal_digits(value, FRACTION_DIGITS, precision, words, limbs, &digits);
  } else {
    if (style == 'g' && precision == 0) precision = 1;
    int significant = style == 'g' ? precision : precision + 1;
    __rz_decimal_digits(value, SIGNIFICANT_DIGITS, significant, words, limbs, &digits);
    if (style == 'g') {
      /* The exponent of the rounded number decides; trailing zeros go unless # keeps them. */
      int fixed = digits.exponent >= -4 && digits.exponent < precision;
      style = fixed ? 'f' : 'e';
      precision = fixed ? precision - 1 - digits.exponent : precision - 1;
      long present = digits.count - 1 - (fixed ? digits.exponent : 0);
      if (!(spec->flags & ALTERNATE) && precision > present) precision = present < 0 ? 0 : (int)present;
    }
  }
  layout.fraction_digits = precision;
  layout.shows_point = precision > 0 || (spec->flags & ALTERNATE) != 0;
  if (style == 'e') {
    layout.integer_digits = 1;
    make_exponent(&layout, digits.exponent, upper ? 'E' : 'e');
    put_number(sink, spec, &digits, &layout, 0);
  } else {
    layout.integer_digits = digits.exponent < 0 ? 1 : digits.exponent + 1;
    put_number(sink, spec, &digits, &layout, digits.exponent < 0 ? digits.exponent : 0);
  }
}

RZ_RAW_END
