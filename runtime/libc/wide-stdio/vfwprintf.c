/*
 * The wide forms of printf to streams. The text is made as UTF-8; in a stream of the locale "C" its
 * characters beyond ASCII become question marks.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <wchar.h>

#include "file.h"
#include "format.h"
#include "wide.h"

struct stream_sink {
  struct __rz_sink sink;
  FILE *stream;
};

static void write_stream(struct __rz_sink *sink, const char *text, size_t n) {
  FILE *stream = ((struct stream_sink *)sink)->stream;
  if (stream->is_utf8) {
    if (__rz_write_bytes(stream, text, n) < n) sink->failed = 1;
    return;
  }
  for (size_t i = 0; i < n; i++) {
    unsigned char byte = (unsigned char)text[i];
    if ((byte & 0xc0) != 0x80 && __rz_putc(byte < 0x80 ? byte : '?', stream) == EOF) sink->failed = 1;
  }
}

int vfwprintf(FILE *restrict stream, const wchar_t *restrict format, va_list arguments) {
  struct stream_sink to = {{.write = write_stream, .counts_characters = 1}, stream};
  __rz_orient(stream, 1);
  char *bytes = __rz_utf8_of(format);
  if (!bytes) return -1;
  int result = __rz_format(&to.sink, bytes, arguments);
  free(bytes);
  return result;
}

int fwprintf(FILE *restrict stream, const wchar_t *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vfwprintf(stream, format, arguments);
  va_end(arguments);
  return result;
}

int vwprintf(const wchar_t *restrict format, va_list arguments) { return vfwprintf(stdout, format, arguments); }

int wprintf(const wchar_t *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vfwprintf(stdout, format, arguments);
  va_end(arguments);
  return result;
}
