/* wcsftime: strftime on the UTF-8 form of the format. */
#include <stdlib.h>
#include <time.h>
#include <wchar.h>

#include "engine.h"

size_t wcsftime(wchar_t *restrict text, size_t size, const wchar_t *restrict format, const struct tm *restrict t) {
  size_t format_size = wcslen(format) * 4 + 1, narrow_size = size * 4, length = 0;
  char *narrow_format = malloc(format_size), *narrow = malloc(narrow_size);
  if (narrow_format && narrow && wcstombs(narrow_format, format, format_size) != (size_t)-1 &&
      strftime(narrow, narrow_size, narrow_format, t) != 0) {
    size_t needed = mbstowcs(NULL, narrow, 0);
    if (needed != (size_t)-1 && needed < size) {
      __rz_range_read(text, (needed + 1) * sizeof *text); /* mbstowcs only counts if this is null */
      mbstowcs(text, narrow, size);
      length = needed;
    }
  }
  free(narrow_format);
  free(narrow);
  return length;
}
