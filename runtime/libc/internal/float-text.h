/*
 * Text to floating point, exactly rounded; shared by strtod, strtof, strtold, their wide forms and
 * scanf.
 *
 *     text ──__rz_read_float_text──▶ sign, digits, exponent ──__rz_round_float──▶ significand * 2^exponent ──▶ bits
 */
#ifndef RZ_FLOAT_TEXT_H
#define RZ_FLOAT_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "raw.h"

/* The parts of the text. Digits stay in the text; a point may be among them. */
struct __rz_float_text {
  enum { TEXT_NONE, TEXT_DECIMAL, TEXT_HEX, TEXT_INFINITY, TEXT_NAN } kind;
  int negative;
  const char *digits; /* the first that is not zero */
  long count;         /* the number of digits, without trailing zeros; 0 for zero */
  long exponent;      /* the power of ten of the last digit, or of two if hexadecimal */
  size_t used;        /* bytes of the number with the blanks before it; 0 for TEXT_NONE */
  size_t read;        /* bytes that were read, which the caller states to the engine */
};

/* Raw code. Bytes from `limit` on count as zeros and are not read. */
struct __rz_float_text __rz_read_float_text(const char *text, size_t limit);

/*
 * A binary format: `bits` of significand, exponents (of the lowest bit) from `lowest` to `highest`.
 */
struct __rz_float_format {
  int bits;
  int lowest;
  int highest;
  int least_power; /* 10^least_power and less is 0 */
  int most_power;  /* 10^most_power and more is infinite */
  int most_digits; /* further digits only affect the sticky bit */
  int words;       /* 32-bit words that the conversion needs */
};

struct __rz_rounded {
  uint64_t high, low;
  int exponent;
  enum { ROUNDED_FINITE, ROUNDED_OVERFLOW } kind;
  int is_inexact;
  int is_tiny; /* below the smallest normal number, had the exponent no limit */
};

/* Raw code. Requires a decimal or hexadecimal text; `words` has room for format->words. */
struct __rz_rounded __rz_round_float(const struct __rz_float_text *text, const struct __rz_float_format *format,
                                     uint32_t *words);

/* Raw code. strtod and similar functions for text of raw code, which the engine does not know. */
float __rz_own_float(const char *text);
double __rz_own_double(const char *text);
long double __rz_own_long_double(const char *text);

#endif
