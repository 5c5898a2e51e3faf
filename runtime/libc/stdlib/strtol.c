/* strtol and its relatives: long, long long and intmax_t all have 64 bits here. */
#include <inttypes.h>
#include <stdlib.h>

#define __RZ_CHAR char
#define __RZ_IS_SPACE(c) ((c) == ' ' || ((c) >= '\t' && (c) <= '\r'))
#include "parse-integer.h"

long long strtoll(const char *restrict text, char **restrict end, int base) {
  return signed_result(parse_integer(text, end, base));
}

unsigned long long strtoull(const char *restrict text, char **restrict end, int base) {
  return unsigned_result(parse_integer(text, end, base));
}

long strtol(const char *restrict text, char **restrict end, int base) { return strtoll(text, end, base); }

unsigned long strtoul(const char *restrict text, char **restrict end, int base) { return strtoull(text, end, base); }

intmax_t strtoimax(const char *restrict text, char **restrict end, int base) { return strtoll(text, end, base); }

uintmax_t strtoumax(const char *restrict text, char **restrict end, int base) { return strtoull(text, end, base); }
