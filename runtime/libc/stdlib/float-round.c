/*
 * Rounds a decimal or hexadecimal number to the nearest binary one, ties to even. It computes with
 * big integers and does not approximate.
 *
 *     digits * 10^e  =  digits * 5^e * 2^e
 *
 * For e >= 0 the product with 5^e is an integer. For e < 0 the digits are shifted left until their
 * quotient by 5^-e has more bits than the format. Dividing by 5^13 repeatedly gives the same
 * quotient as dividing once, and rounding only needs to know whether any remainder was not zero
 * (the "sticky" bit). Either way the value is N * 2^x for an integer N, or slightly more if the
 * sticky bit is set, and the leading bits of N are rounded once.
 *
 * Words are least significant first. Everyday numbers need a few words and a few passes. The
 * longest text that matters has 770 digits for a double and 11,600 for a quad; digits after those
 * only affect the sticky bit.
 */
#include "float-text.h"

#define FIVE_TO_13 1220703125u
#define NINE_DIGITS 1000000000u

RZ_RAW_BEGIN

struct big {
  uint32_t *words;
  int count; /* the highest word is never zero */
  int sticky;
};

static void multiply_add(struct big *n, uint32_t factor, uint32_t addend) {
  uint64_t carry = addend;
  for (int i = 0; i < n->count; i++) {
    carry += (uint64_t)n->words[i] * factor;
    n->words[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry != 0) n->words[n->count++] = (uint32_t)carry;
}

static void divide(struct big *n, uint32_t divisor) {
  uint64_t remainder = 0;
  for (int i = n->count - 1; i >= 0; i--) {
    uint64_t part = remainder << 32 | n->words[i];
    n->words[i] = (uint32_t)(part / divisor);
    remainder = part % divisor;
  }
  while (n->count > 0 && n->words[n->count - 1] == 0) n->count--;
  n->sticky |= remainder != 0;
}

static void shift_words_left(struct big *n, int by) {
  __builtin_memmove(n->words + by, n->words, (size_t)n->count * sizeof *n->words);
  __builtin_memset(n->words, 0, (size_t)by * sizeof *n->words);
  n->count += by;
}

static long bit_length(const struct big *n) {
  return n->count == 0 ? 0 : n->count * 32L - __builtin_clz(n->words[n->count - 1]);
}

static uint32_t power_of_five(int n) {
  uint32_t power = 1;
  while (n-- > 0) power *= 5;
  return power;
}

static unsigned digit_value(char c) { return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a' + 10); }

/* The first `count` digits of the text as an integer. */
static void read_decimal(struct big *n, const char *digits, long count) {
  uint32_t limb = 0, scale = 1;
  for (; count > 0; digits++) {
    if (*digits == '.') continue;
    limb = limb * 10 + digit_value(*digits);
    scale *= 10;
    count--;
    if (scale == NINE_DIGITS || count == 0) {
      multiply_add(n, scale, limb);
      limb = 0;
      scale = 1;
    }
  }
}

/* Computes N and returns x: the text is N * 2^x, or slightly more if sticky. */
static long decimal_to_binary(struct big *n, const struct __rz_float_text *text, const struct __rz_float_format *format) {
  long count = text->count;
  long exponent = text->exponent;
  if (count > format->most_digits) {
    exponent += count - format->most_digits;
    count = format->most_digits;
    n->sticky = 1;
  }
  read_decimal(n, text->digits, count);
  if (exponent >= 0) {
    for (long left = exponent; left > 0; left -= 13) multiply_add(n, left >= 13 ? FIVE_TO_13 : power_of_five((int)left), 0);
    return exponent;
  }
  long five_bits = (-exponent * 2322) / 1000 + 1; /* at least the length of 5^-exponent: log2(5) < 2.322 */
  long wanted = format->bits + 3 + five_bits - bit_length(n);
  int shift = wanted > 0 ? (int)((wanted + 31) / 32) : 0;
  shift_words_left(n, shift);
  for (long left = -exponent; left > 0; left -= 13) divide(n, left >= 13 ? FIVE_TO_13 : power_of_five((int)left));
  return exponent - shift * 32L;
}

/* Thirty-two digits hold more bits than any format; the others only affect the sticky bit. */
static long hex_to_binary(struct big *n, const struct __rz_float_text *text) {
  long kept = 0;
  long left = text->count;
  for (const char *at = text->digits; left > 0; at++) {
    if (*at == '.') continue;
    left--;
    if (kept < 32) {
      multiply_add(n, 16, digit_value(*at));
      kept++;
    } else {
      n->sticky |= *at != '0';
    }
  }
  return text->exponent + (text->count - kept) * 4;
}

/* Bit i of N, and whether any bit below it is set. */
static int bit_at(const struct big *n, long i) {
  return i >= 0 && i / 32 < n->count && (n->words[i / 32] >> (i % 32) & 1);
}

static int any_below(const struct big *n, long i) {
  for (long word = 0; word < n->count && word * 32 < i; word++) {
    uint32_t mask = i - word * 32 >= 32 ? ~0u : (1u << (i - word * 32)) - 1;
    if (n->words[word] & mask) return 1;
  }
  return 0;
}

/* Bits [from, from + 64) of N; from may be negative. */
static uint64_t bits_at(const struct big *n, long from) {
  uint64_t value = 0;
  for (long word = (from - 31) / 32 < 0 ? 0 : (from - 31) / 32; word < n->count; word++) {
    long shift = word * 32 - from;
    if (shift >= 64) break;
    if (shift >= 0) value |= (uint64_t)n->words[word] << shift;
    else if (shift > -32) value |= n->words[word] >> -shift;
  }
  return value;
}

/*
 * Whether the first `count` bits of N are all ones: then rounding carries into the next power of
 * two.
 */
static int starts_with_ones(const struct big *n, int count) {
  long top = bit_length(n);
  for (long i = top - 1; i >= top - count; i--) {
    if (!bit_at(n, i)) return 0;
  }
  return 1;
}

static struct __rz_rounded round_to(const struct big *n, long exponent, const struct __rz_float_format *format) {
  struct __rz_rounded out = {.kind = ROUNDED_FINITE};
  long lowest_bit = bit_length(n) - format->bits; /* the significand's lowest bit in N; may be negative */
  if (exponent + lowest_bit < format->lowest) {
    int reaches_normal = exponent + lowest_bit == format->lowest - 1 && starts_with_ones(n, format->bits + 1);
    out.is_tiny = !reaches_normal;
    lowest_bit = format->lowest - exponent;
  }
  long result_exponent = exponent + lowest_bit;
  out.low = bits_at(n, lowest_bit);
  out.high = bits_at(n, lowest_bit + 64);
  int half = bit_at(n, lowest_bit - 1);
  int more = n->sticky || (lowest_bit > 1 && any_below(n, lowest_bit - 1));
  out.is_inexact = half || more;
  if (half && (more || (out.low & 1))) {
    out.low++;
    out.high += out.low == 0;
  }
  /* Rounding up may have produced one bit too many. */
  int overflowed = format->bits < 64 ? (int)(out.low >> format->bits) : (int)(out.high >> (format->bits - 64));
  if (overflowed) {
    out.low = out.low >> 1 | out.high << 63;
    out.high >>= 1;
    result_exponent++;
  }
  if (result_exponent > format->highest) out.kind = ROUNDED_OVERFLOW;
  out.exponent = (int)result_exponent;
  return out;
}

struct __rz_rounded __rz_round_float(const struct __rz_float_text *text, const struct __rz_float_format *format,
                                     uint32_t *words) {
  struct __rz_rounded zero = {.exponent = format->lowest, .kind = ROUNDED_FINITE};
  if (text->count == 0) return zero;
  long magnitude = text->kind == TEXT_HEX ? text->exponent + text->count * 4 : text->exponent + text->count;
  long most = text->kind == TEXT_HEX ? format->highest + format->bits + 4 : format->most_power;
  long least = text->kind == TEXT_HEX ? format->lowest - 1 : format->least_power;
  if (magnitude > most) return (struct __rz_rounded){.kind = ROUNDED_OVERFLOW, .is_inexact = 1};
  if (magnitude < least) {
    zero.is_inexact = zero.is_tiny = 1;
    return zero;
  }
  struct big n = {words, 0, 0};
  long exponent = text->kind == TEXT_HEX ? hex_to_binary(&n, text) : decimal_to_binary(&n, text, format);
  return round_to(&n, exponent, format);
}

RZ_RAW_END
