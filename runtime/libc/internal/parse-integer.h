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

typedef struct {
  uint64_t magnitude; /* UINT64_MAX when it does not fit */
  int negative;
  int overflow;
} ParsedInteger;

/* The value of a digit in any base up to 36, or 36. */
static unsigned digit_value(__RZ_CHAR c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'z') return (unsigned)(c - 'a' + 10);
  if (c >= 'A' && c <= 'Z') return (unsigned)(c - 'A' + 10);
  return 36;
}

static ParsedInteger parse_integer(const __RZ_CHAR *text, __RZ_CHAR **end, int base) {
  ParsedInteger result = {0, 0, 0};
  const __RZ_CHAR *at = text;
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    if (end) *end = (__RZ_CHAR *)text;
    return result;
  }
  while (__RZ_IS_SPACE(*at)) at++;
  if (*at == '-' || *at == '+') result.negative = *at++ == '-';
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && digit_value(at[2]) < 16) {
    at += 2;
    base = 16;
  }
  if (base == 0) base = *at == '0' ? 8 : 10;

  const __RZ_CHAR *digits = at;
  uint64_t limit = UINT64_MAX / (unsigned)base;
  unsigned digit;
  for (; (digit = digit_value(*at)) < (unsigned)base; at++) {
    uint64_t shifted = result.magnitude * (unsigned)base;
    result.overflow |= result.magnitude > limit || shifted + digit < shifted;
    result.magnitude = shifted + digit;
  }
  if (result.overflow) result.magnitude = UINT64_MAX;
  if (end) *end = (__RZ_CHAR *)(at == digits ? text : at);
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
