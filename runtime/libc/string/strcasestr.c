/* strcasestr: a plain double loop, since its callers do not search for long parts. */
#include <string.h>

#include "engine.h"
#include "raw.h"

/* The offset of the part in the text, or the length of the text. */
static size_t __rz_raw_case_find(const char *text, const char *part, size_t length) {
  size_t at = 0;
  while (__rz_raw_case_mismatch(part, text + at, length) != length && text[at] != 0) at++;
  return at;
}

char *strcasestr(const char *text, const char *part) {
  size_t length = __rz_raw_strlen(part), seen = __rz_range_scan(part, length + 1);
  if (length > seen) length = seen;
  if (length == 0) return (char *)text;
  size_t at = __rz_raw_case_find(text, part, length);
  size_t end = at + __rz_raw_strnlen(text + at, length), size = end - at < length ? end + 1 : end;
  return __rz_range_scan(text, size) == size && end - at == length ? (char *)text + at : NULL;
}
