/* strtol and similar functions: long, long long and intmax_t all have 64 bits here. */
#include <inttypes.h>
#include <stdlib.h>

#define __RZ_CHAR char
#define __RZ_IS_SPACE(c) ((c) == ' ' || ((c) >= '\t' && (c) <= '\r'))
#include "parse-integer.h"
#include "scan-parts.h"

RZ_RAW_BEGIN

unsigned long __rz_own_integer(const char *text, int base, int is_signed) {
  ParsedInteger parsed;
  read_integer(text, SIZE_MAX, base, &parsed);
  return is_signed ? (unsigned long)signed_result(&parsed) : unsigned_result(&parsed);
}

RZ_RAW_END

long long strtoll(const char *restrict text, char **restrict end, int base) { return parse_signed(text, end, base); }

unsigned long long strtoull(const char *restrict text, char **restrict end, int base) { return parse_unsigned(text, end, base); }

long strtol(const char *restrict text, char **restrict end, int base) { return parse_signed(text, end, base); }

unsigned long strtoul(const char *restrict text, char **restrict end, int base) { return parse_unsigned(text, end, base); }

intmax_t strtoimax(const char *restrict text, char **restrict end, int base) { return parse_signed(text, end, base); }

uintmax_t strtoumax(const char *restrict text, char **restrict end, int base) { return parse_unsigned(text, end, base); }
