/* wcsftime: strftime on the UTF-8 form of the format. */
#include <stdlib.h>
#include <time.h>
#include <wchar.h>

#include "wide.h"

size_t wcsftime(wchar_t *restrict text, size_t size, const wchar_t *restrict format, const struct tm *restrict t) {
  size_t narrow_size = size * 4;
  char *narrow_format = __rz_utf8_of(format), *narrow = malloc(narrow_size);
  long length = -1;
  if (narrow_format && narrow && strftime(narrow, narrow_size, narrow_format, t) != 0)
    length = __rz_wide_of(text, size - 1, narrow);
  free(narrow_format);
  free(narrow);
  return length < 0 ? 0 : (size_t)length;
}
