/*
 * The decimal digits of a binary floating-point number, exactly, as many as are requested,
 * correctly rounded.
 *
 * The number m * 2^e is cut at the binary point. The integer part is a big number that is divided
 * by 10^9 again and again, which yields limbs of nine digits from the right; the fraction is
 * multiplied by 10^9 again and again, which yields limbs from the left, and stops as soon as enough
 * digits are known. What is left then only matters as zero or not zero. The everyday number (a few
 * words long) costs a few multiplications; nothing is ever approximated.
 *
 *     integer words    most significant first:  [w0 w1 ... wn-1]            value = w0:w1:...:wn-1
 *     fraction words   most significant first:  .[f0 f1 ... fn-1]           value = f0:f1:...:fn-1 / 2^32n
 */
#include "format.h"

#define LIMB 1000000000u
#define LIMB_DIGITS 9
#define MOST_DIGITS 20000 /* more than any number has, on either side of the point */

RZ_RAW_BEGIN

struct writer {
  struct __rz_digits *out;
  int kind;
  int precision;
  int next; /* the power of ten of the next digit */
};

/* One digit more than wanted is known: enough to round, together with "is there more?". */
static int has_enough(const struct writer *writer) {
  if (writer->kind == SIGNIFICANT_DIGITS) return writer->out->count > writer->precision;
  return writer->next < -writer->precision - 1;
}

static void put_limb(struct writer *writer, uint32_t limb) {
  char digits[LIMB_DIGITS];
  for (int i = LIMB_DIGITS - 1; i >= 0; i--) {
    digits[i] = (char)('0' + limb % 10);
    limb /= 10;
  }
  struct __rz_digits *out = writer->out;
  for (int i = 0; i < LIMB_DIGITS; i++, writer->next--) {
    if (out->count == 0) {
      if (digits[i] == '0') continue;
      out->exponent = writer->next;
    }
    out->text[out->count++] = digits[i];
  }
}

/* Divides the words by 10^9 in place and returns the remainder. */
static uint32_t divide_words(uint32_t *words, int count) {
  uint64_t remainder = 0;
  for (int i = 0; i < count; i++) {
    uint64_t part = remainder << 32 | words[i];
    words[i] = (uint32_t)(part / LIMB);
    remainder = part % LIMB;
  }
  return (uint32_t)remainder;
}

/* Multiplies the fraction by 10^9 in place and returns the integer part that comes out. */
static uint32_t multiply_words(uint32_t *words, int count) {
  uint64_t carry = 0;
  for (int i = count - 1; i >= 0; i--) {
    uint64_t part = (uint64_t)words[i] * LIMB + carry;
    words[i] = (uint32_t)part;
    carry = part >> 32;
  }
  return (uint32_t)carry;
}

/* The words of high:low shifted left by 0 <= shift < 32, least significant last, in words[0..5). */
static void spread(const struct __rz_binary *value, int shift, uint32_t *words) {
  uint32_t parts[4] = {(uint32_t)(value->high >> 32), (uint32_t)value->high, (uint32_t)(value->low >> 32),
                       (uint32_t)value->low};
  uint32_t carry = 0;
  for (int i = 3; i >= 0; i--) {
    uint64_t part = (uint64_t)parts[i] << shift | carry;
    words[i + 1] = (uint32_t)part;
    carry = (uint32_t)(part >> 32);
  }
  words[0] = carry;
}

static void put_integer(struct writer *writer, uint32_t *words, int count, uint32_t *limbs) {
  int limb_count = 0;
  int first = 0;
  for (;;) {
    while (first < count && words[first] == 0) first++;
    if (first == count) break;
    limbs[limb_count++] = divide_words(words + first, count - first);
  }
  writer->next = limb_count * LIMB_DIGITS - 1;
  for (int i = limb_count - 1; i >= 0; i--) put_limb(writer, limbs[i]);
}

/* Whether something is left of the fraction. */
static int put_fraction(struct writer *writer, uint32_t *words, int count) {
  int first = 0;
  writer->next = -1;
  for (;;) {
    while (count > first && words[count - 1] == 0) count--;
    if (first == count) return 0;
    if (has_enough(writer)) return 1;
    /* Words that are still zero at the front only record whether a carry reaches them. */
    while (first < count && words[first] == 0) first++;
    uint32_t carry = multiply_words(words + first, count - first);
    if (first > 0) {
      words[--first] = carry;
      carry = 0;
    }
    put_limb(writer, carry);
  }
}

/*
 * Cuts the digits to `wanted`, rounding to nearest, ties to even; `more` says that nonzero digits
 * follow.
 */
static void round_digits(struct __rz_digits *digits, int wanted, int more) {
  if (digits->count > wanted) {
    int dropped = wanted < 0 ? '0' : digits->text[wanted];
    for (int i = wanted < 0 ? 0 : wanted + 1; i < digits->count && !more; i++) more = digits->text[i] != '0';
    int odd = wanted > 0 && (digits->text[wanted - 1] & 1);
    int up = dropped > '5' || (dropped == '5' && (more || odd));
    digits->count = wanted < 0 ? 0 : wanted;
    if (up) {
      while (digits->count > 0 && digits->text[digits->count - 1] == '9') digits->count--;
      if (digits->count == 0) {
        digits->text[digits->count++] = '1';
        digits->exponent++;
      } else {
        digits->text[digits->count - 1]++;
      }
    }
  }
  while (digits->count > 0 && digits->text[digits->count - 1] == '0') digits->count--;
  if (digits->count == 0) digits->exponent = 0;
}

void __rz_decimal_digits(const struct __rz_binary *value, int kind, int precision, uint32_t *words, uint32_t *limbs,
                         struct __rz_digits *out) {
  if (precision > MOST_DIGITS) precision = MOST_DIGITS;
  struct writer writer = {out, kind, precision, 0};
  int more = 0;
  out->count = 0;
  out->exponent = 0;
  if ((value->high | value->low) == 0) return;

  if (value->exponent >= 0) {
    int whole = value->exponent / 32;
    spread(value, value->exponent % 32, words);
    __builtin_memset(words + 5, 0, (size_t)whole * sizeof *words);
    put_integer(&writer, words, 5 + whole, limbs);
  } else {
    /* Shifted so that the binary point falls between two words. */
    int fraction_words = (-value->exponent + 31) / 32;
    int zeros = fraction_words > 5 ? fraction_words - 5 : 0; /* between the point and the number */
    __builtin_memset(words, 0, (size_t)zeros * sizeof *words);
    spread(value, fraction_words * 32 + value->exponent, words + zeros);
    int integer_words = zeros + 5 - fraction_words;
    if (integer_words > 0) {
      uint32_t integer[5];
      __builtin_memcpy(integer, words, (size_t)integer_words * sizeof *integer);
      put_integer(&writer, integer, integer_words, limbs);
    }
    more = put_fraction(&writer, words + integer_words, fraction_words);
  }
  round_digits(out, kind == SIGNIFICANT_DIGITS ? precision : out->exponent + 1 + precision, more);
}

RZ_RAW_END
