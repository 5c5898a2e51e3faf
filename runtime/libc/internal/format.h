/*
 * The parts of printf. One engine serves all its forms:
 *
 *     printf, fprintf, dprintf ─┐
 *     sprintf, snprintf ────────┼─▶ __rz_format ──▶ one conversion at a time ──▶ sink: a stream, a buffer, ...
 *     wprintf, swprintf, ... ───┘     (format.c)      format-integer.c, -float.c, -text.c
 *
 * The wide forms turn their format into UTF-8 and use a sink that turns the output back; such a
 * sink counts characters instead of bytes, and so do widths and precisions.
 */
#ifndef RZ_FORMAT_H
#define RZ_FORMAT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "raw.h"

/* A sink may be a local of raw code; then its functions are raw, too. */
struct __rz_sink {
  /* Takes all n bytes, which the engine knows; sets `failed` if it cannot. */
  void (*write)(struct __rz_sink *sink, const char *text, size_t n);
  /*
   * The same for text of raw code that the engine does not know. Null: `write` gets a copy, and is
   * checked.
   */
  void (*write_own)(struct __rz_sink *sink, const char *text, size_t n);
  size_t total; /* bytes or characters so far */
  int counts_characters;
  int failed;
};

enum { ALIGN_LEFT = 1, PLUS = 2, SPACE = 4, ALTERNATE = 8, ZERO = 16 };

enum { LENGTH_INT, LENGTH_CHAR, LENGTH_SHORT, LENGTH_LONG, LENGTH_LONG_DOUBLE };

struct __rz_spec {
  int flags;
  int width;
  int precision; /* -1: not given */
  int length;    /* long stands for every 64-bit length, int for every 32-bit one */
  char conversion;
};

/* The number of bytes or characters, or -1 with errno. */
int __rz_format(struct __rz_sink *sink, const char *format, va_list arguments);

void __rz_sink_write(struct __rz_sink *sink, const char *text, size_t n);
void __rz_sink_fill(struct __rz_sink *sink, char c, long n);
/* The same for text in a local of raw code, which the engine does not know. */
void __rz_sink_write_own(struct __rz_sink *sink, const char *text, size_t n);

/* Stores raw code's own text where the program says; checked. */
void __rz_store_own(char *to, const char *text, size_t n);

/* How many characters of UTF-8 there are. */
size_t __rz_count_characters(const char *text, size_t n);

/*
 * The text of one number, made by raw code (raw.h) piece by piece and passed on in as few pieces as
 * possible, between __rz_text_begin and __rz_text_end.
 */
struct __rz_text {
  struct __rz_sink *sink;
  size_t used;
  char bytes[96];
};

/* The bytes stay as they are: to clear them takes longer than to make a number. */
RZ_RAW_BEGIN
static inline void __rz_text_begin(struct __rz_text *text, struct __rz_sink *sink) {
  text->sink = sink;
  text->used = 0;
}
RZ_RAW_END
void __rz_text_put(struct __rz_text *text, const char *from, long n);
void __rz_text_fill(struct __rz_text *text, char c, long n);
void __rz_text_end(struct __rz_text *text);

void __rz_format_integer(struct __rz_sink *sink, const struct __rz_spec *spec, uint64_t value);
void __rz_format_string(struct __rz_sink *sink, const struct __rz_spec *spec, const char *text);
void __rz_format_wide(struct __rz_sink *sink, const struct __rz_spec *spec, const wchar_t *text);
void __rz_format_character(struct __rz_sink *sink, const struct __rz_spec *spec, int c);
void __rz_format_double(struct __rz_sink *sink, const struct __rz_spec *spec, double value);
void __rz_format_long_double(struct __rz_sink *sink, const struct __rz_spec *spec, long double value);

/*
 * A floating-point number, taken apart: (high:low) * 2^exponent. `bits` is the size of the
 * significand in its format, 53 or 113.
 */
struct __rz_binary {
  enum { BINARY_FINITE, BINARY_INFINITE, BINARY_NAN } kind;
  int negative;
  int exponent;
  int bits;
  uint64_t high, low;
};

void __rz_format_decimal_float(struct __rz_sink *sink, const struct __rz_spec *spec, const struct __rz_binary *value,
                               uint32_t *words, uint32_t *limbs, char *text);
void __rz_format_hex_float(struct __rz_sink *sink, const struct __rz_spec *spec, const struct __rz_binary *value);

/* The prefix for the sign of a number: "-", "+", " " or "". */
RZ_RAW_BEGIN
static inline const char *__rz_sign_prefix(const struct __rz_spec *spec, int negative) {
  if (negative) return "-";
  return spec->flags & PLUS ? "+" : spec->flags & SPACE ? " " : "";
}
RZ_RAW_END

/*
 * Decimal digits: the number is text[0].text[1]text[2]... * 10^exponent, rounded to nearest, ties
 * to even, without trailing zeros; no digits at all for zero.
 */
struct __rz_digits {
  char *text;
  int count;
  int exponent;
};

enum { SIGNIFICANT_DIGITS, FRACTION_DIGITS };

void __rz_decimal_digits(const struct __rz_binary *value, int kind, int precision, uint32_t *words, uint32_t *limbs,
                         struct __rz_digits *out);

/*
 * The space that the conversion of a double or a long double needs: 32-bit words of its binary
 * form, limbs of its integer part in base 10^9, and significant
 * digits.
 */
#define DOUBLE_WORDS 36
#define DOUBLE_LIMBS 36
#define DOUBLE_DIGITS 800
#define QUAD_WORDS 520
#define QUAD_LIMBS 560
#define QUAD_DIGITS 11600

#endif
