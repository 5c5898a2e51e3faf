/* %d %i %u %o %x %X %b %B %p: the value arrives as 64 bits, already cut to its length. */
#include <limits.h>

#include "format.h"

RZ_RAW_BEGIN

static char *digits_of(uint64_t value, unsigned base, const char *alphabet, char *end) {
  char *at = end;
  if (base == 10) {
    /* Two divisions of 32 bits are cheaper than one of 64, and most numbers are short. */
    for (; value > UINT32_MAX; value /= 10) *--at = (char)('0' + value % 10);
    for (uint32_t rest = (uint32_t)value; rest != 0; rest /= 10) *--at = (char)('0' + rest % 10);
  } else {
    unsigned shift = base == 16 ? 4 : base == 8 ? 3 : 1;
    for (; value != 0; value >>= shift) *--at = alphabet[value & (base - 1)];
  }
  return at;
}

static unsigned base_of(char conversion) {
  switch (conversion) {
    case 'x': case 'X': case 'p': return 16;
    case 'o': return 8;
    case 'b': case 'B': return 2;
    default: return 10;
  }
}

void __rz_format_integer(struct __rz_sink *sink, const struct __rz_spec *spec, uint64_t value) {
  char text[3 + 64];
  char *end = text + sizeof text;
  char conversion = spec->conversion;
  unsigned base = base_of(conversion);
  const char *prefix = "";
  if (conversion == 'd' || conversion == 'i') {
    int negative = (int64_t)value < 0;
    prefix = __rz_sign_prefix(spec, negative);
    if (negative) value = 0 - value;
  } else if (conversion == 'p') {
    prefix = spec->flags & PLUS ? "+0x" : spec->flags & SPACE ? " 0x" : "0x";
  } else if ((spec->flags & ALTERNATE) && value != 0) {
    if (conversion == 'x') prefix = "0x";
    if (conversion == 'X') prefix = "0X";
    if (conversion == 'b') prefix = "0b";
    if (conversion == 'B') prefix = "0B";
  }
  char *start = digits_of(value, base, conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef", end);
  long length = end - start;

  /*
   * The precision is the least number of digits; one digit if it is not given. # makes an octal
   * number start with 0.
   */
  long least = spec->precision < 0 ? 1 : spec->precision;
  if (base == 8 && (spec->flags & ALTERNATE) && length >= least) least = length + 1;
  long zeros = length < least ? least - length : 0;
  if (base == 8 && (spec->flags & ALTERNATE) && value == 0 && spec->precision > 0) zeros = least;

  long prefix_length = prefix[0] == 0 ? 0 : prefix[1] == 0 ? 1 : prefix[2] == 0 ? 2 : 3;
  long padding = spec->width - prefix_length - zeros - length;
  if (padding <= 0 && zeros == 0) {
    /* As most numbers are: the prefix fits before the digits, of which there are 64 at most. */
    for (long i = prefix_length; i-- > 0;) *--start = prefix[i];
    __rz_sink_write_own(sink, start, (size_t)(end - start));
    return;
  }
  int left = spec->flags & ALIGN_LEFT;
  int pads_zeros = !left && (spec->flags & ZERO) && spec->precision < 0;
  struct __rz_text out;
  __rz_text_begin(&out, sink);
  if (!left && !pads_zeros) __rz_text_fill(&out, ' ', padding);
  __rz_text_put(&out, prefix, prefix_length);
  if (pads_zeros) __rz_text_fill(&out, '0', padding);
  __rz_text_fill(&out, '0', zeros);
  __rz_text_put(&out, start, length);
  if (left) __rz_text_fill(&out, ' ', padding);
  __rz_text_end(&out);
}

RZ_RAW_END
