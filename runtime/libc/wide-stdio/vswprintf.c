/*
 * swprintf: the sink turns UTF-8 back into wide characters. Unlike snprintf it fails if the text
 * does not fit.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <wchar.h>

#include "format.h"
#include "wide.h"

struct wide_sink {
  struct __rz_sink sink;
  wchar_t *at;
  size_t room; /* for characters, without the terminating zero */
  mbstate_t state;
};

static void write_wide(struct __rz_sink *sink, const char *text, size_t n) {
  struct wide_sink *wide = (struct wide_sink *)sink;
  while (n > 0 && !sink->failed) {
    wchar_t c;
    size_t used = __rz_utf8_decode(&c, text, n, &wide->state);
    if (used == (size_t)-2) return; /* the next piece completes the character */
    if (used == (size_t)-1 || wide->room == 0) {
      if (used != (size_t)-1) errno = EOVERFLOW;
      sink->failed = 1;
      return;
    }
    if (used == 0) used = 1; /* a zero character, from %c */
    *wide->at++ = c;
    wide->room--;
    text += used;
    n -= used;
  }
}

int vswprintf(wchar_t *restrict to, size_t size, const wchar_t *restrict format, va_list arguments) {
  struct wide_sink wide = {{.write = write_wide, .counts_characters = 1}, to, size == 0 ? 0 : size - 1, {0}};
  char *bytes = size == 0 ? NULL : __rz_utf8_of(format);
  if (!bytes) return -1;
  int result = __rz_format(&wide.sink, bytes, arguments);
  *wide.at = 0;
  free(bytes);
  return result;
}

int swprintf(wchar_t *restrict to, size_t size, const wchar_t *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vswprintf(to, size, format, arguments);
  va_end(arguments);
  return result;
}
