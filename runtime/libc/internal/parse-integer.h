/*
 * The text of an integer, as strtol, strtoul, wcstol and their relatives read it:
 *
 *   blanks, a sign, "0x" for base 16, digits
 *
 * This file is included once for char and once for wchar_t, with __RZ_CHAR defined as the type and
 * __RZ_IS_SPACE as the test. The magnitude is gathered as an unsigned 64-bit number, which serves
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
  size_t read; /* characters that were looked at */
} ParsedInteger;

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

RZ_RAW_ENTRY static void read_integer(const __RZ_CHAR *text, size_t limit, int base, ParsedInteger *out) {
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
  const uint64_t most = UINT64_MAX / (unsigned)base;
  unsigned digit;
  for (; (digit = digit_value(AT(at))) < (unsigned)base; at++) {
    uint64_t shifted = out->magnitude * (unsigned)base;
    out->overflow |= out->magnitude > most || shifted + digit < shifted;
    out->magnitude = shifted + digit;
  }
  if (out->overflow) out->magnitude = UINT64_MAX;
  out->used = at == digits ? 0 : at;
#undef AT
}

RZ_RAW_END

static ParsedInteger parse_integer(const __RZ_CHAR *text, __RZ_CHAR **end, int base) {
  ParsedInteger result = {0};
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
  } else {
    read_integer(text, SIZE_MAX, base, &result);
    size_t seen = __rz_range_scan(text, result.read * sizeof *text) / sizeof *text;
    if (seen != result.read) {
      result = (ParsedInteger){0};
      read_integer(text, seen, base, &result);
    }
  }
  if (end) *end = (__RZ_CHAR *)text + result.used;
  return result;
}

static long long signed_result(ParsedInteger parsed) {
  uint64_t limit = (uint64_t)LLONG_MAX + (unsigned)parsed.negative;
  if (parsed.magnitude > limit) {
    errno = ERANGE;
    return parsed.negative ? LLONG_MIN : LLONG_MAX;
  }
  return (long long)(parsed.negative ? 0 - parsed.magnitude : parsed.magnitude);
}

/* A minus sign negates modulo 2^64, as the standard says. */
static unsigned long long unsigned_result(ParsedInteger parsed) {
  if (parsed.overflow) {
    errno = ERANGE;
    return ULLONG_MAX;
  }
  return parsed.negative ? 0 - parsed.magnitude : parsed.magnitude;
}
