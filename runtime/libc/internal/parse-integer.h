/*
 * The text of an integer, as strtol, strtoul, wcstol and similar functions read it:
 *
 *   blanks, a sign, "0x" for base 16, digits
 *
 * This file is included once for char and once for wchar_t, with __RZ_CHAR defined as the type and
 * __RZ_IS_SPACE as the test. The magnitude is collected as an unsigned 64-bit number, which serves
 * all result types; the caller clips it.
 */
#include <errno.h>
#include <limits.h>
#include <stdint.h>

#include "engine.h"
#include "raw.h"

typedef struct {
  uint64_t magnitude; /* UINT64_MAX when it does not fit */
  int negative;
  int overflow;
  size_t used; /* characters of the number with the blanks before it; 0 if there is none */
  size_t read; /* characters that were read */
} ParsedInteger;

__attribute__((noinline)) static void store_end(__RZ_CHAR **end, const __RZ_CHAR *at) { *end = (__RZ_CHAR *)at; }

RZ_RAW_BEGIN

/* The value of a digit in any base up to 36, or 36. */
static unsigned digit_value(__RZ_CHAR c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'z') return (unsigned)(c - 'a' + 10);
  if (c >= 'A' && c <= 'Z') return (unsigned)(c - 'A' + 10);
  return 36;
}

/* Characters from `limit` on count as zeros and are not read. */
static __RZ_CHAR character_at(const __RZ_CHAR *text, size_t at, size_t limit, ParsedInteger *out) {
  if (at >= limit) return 0;
  if (at >= out->read) out->read = at + 1;
  return text[at];
}

static void read_integer(const __RZ_CHAR *text, size_t limit, int base, ParsedInteger *out) {
  *out = (ParsedInteger){0};
#define AT(i) character_at(text, (i), limit, out)
  size_t at = 0;
  while (__RZ_IS_SPACE(AT(at))) at++;
  if (AT(at) == '-' || AT(at) == '+') out->negative = AT(at) == '-', at++;
  if ((base == 0 || base == 16) && AT(at) == '0' && (AT(at + 1) == 'x' || AT(at + 1) == 'X') &&
      digit_value(AT(at + 2)) < 16) {
    at += 2;
    base = 16;
  }
  if (base == 0) base = AT(at) == '0' ? 8 : 10;

  const size_t digits = at;
  uint64_t magnitude = 0;
  unsigned digit;
  for (; (digit = digit_value(AT(at))) < (unsigned)base; at++) {
    uint64_t shifted = magnitude * (unsigned)base;
    /* A base is below 2^6. Division is slow, and so is clang's multiplication with overflow. */
    if (magnitude >> 58) out->overflow |= magnitude > UINT64_MAX / (unsigned)base || shifted + digit < shifted;
    magnitude = shifted + digit;
  }
  out->magnitude = out->overflow ? UINT64_MAX : magnitude;
  out->used = at == digits ? 0 : at;
#undef AT
}

static void parse_integer(const __RZ_CHAR *text, __RZ_CHAR **end, int base, ParsedInteger *out) {
  if (base < 0 || base == 1 || base > 36) {
    *out = (ParsedInteger){0};
    errno = EINVAL;
  } else {
    read_integer(text, SIZE_MAX, base, out);
    size_t seen = __rz_range_scan(text, out->read * sizeof *text) / sizeof *text;
    if (seen != out->read) read_integer(text, seen, base, out);
  }
  if (end) store_end(end, text + out->used);
}

static long long signed_result(const ParsedInteger *parsed) {
  uint64_t limit = (uint64_t)LLONG_MAX + (unsigned)parsed->negative;
  if (parsed->magnitude > limit) {
    errno = ERANGE;
    return parsed->negative ? LLONG_MIN : LLONG_MAX;
  }
  return (long long)(parsed->negative ? 0 - parsed->magnitude : parsed->magnitude);
}

/* A minus sign negates modulo 2^64, as the standard says. */
static unsigned long long unsigned_result(const ParsedInteger *parsed) {
  if (parsed->overflow) {
    errno = ERANGE;
    return ULLONG_MAX;
  }
  return parsed->negative ? 0 - parsed->magnitude : parsed->magnitude;
}

RZ_RAW_ENTRY static long long parse_signed(const __RZ_CHAR *text, __RZ_CHAR **end, int base) {
  ParsedInteger parsed;
  parse_integer(text, end, base, &parsed);
  return signed_result(&parsed);
}

RZ_RAW_ENTRY static unsigned long long parse_unsigned(const __RZ_CHAR *text, __RZ_CHAR **end, int base) {
  ParsedInteger parsed;
  parse_integer(text, end, base, &parsed);
  return unsigned_result(&parsed);
}

RZ_RAW_END
