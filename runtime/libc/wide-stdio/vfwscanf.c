/* The wide forms of scanf: the source returns each wide character as the bytes of its UTF-8. */
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <wchar.h>

#include "file.h"
#include "scan.h"
#include "wide.h"

struct wide_source {
  struct __rz_source source;
  FILE *stream;        /* or NULL if the input is `text` */
  const wchar_t *text; /* the next character */
  char bytes[MB_LEN_MAX];
  int at; /* the index of the next byte */
  int count;
};

static wint_t next_character(struct wide_source *wide) {
  if (wide->stream) return fgetwc(wide->stream);
  return *wide->text ? (wint_t)*wide->text++ : WEOF;
}

static int get(struct __rz_source *source) {
  struct wide_source *wide = (struct wide_source *)source;
  if (wide->at == wide->count) {
    wint_t c = next_character(wide);
    if (c == WEOF) return EOF;
    size_t n = __rz_utf8_encode(wide->bytes, (wchar_t)c);
    if (n == (size_t)-1) return EOF;
    wide->at = 0;
    wide->count = (int)n;
  }
  return (unsigned char)wide->bytes[wide->at++];
}

static void unget(struct __rz_source *source, int c) {
  (void)c;
  ((struct wide_source *)source)->at--;
}

static int scan(struct wide_source *wide, const wchar_t *format, va_list arguments) {
  char *bytes = __rz_utf8_of(format);
  if (!bytes) return EOF;
  int result = __rz_scan(&wide->source, bytes, arguments);
  free(bytes);
  /* A lookahead character that was pushed back belongs to the stream again. */
  if (wide->stream && wide->count > 0 && wide->at == 0) {
    wchar_t c;
    mbstate_t state = {0};
    __rz_utf8_decode(&c, wide->bytes, (size_t)wide->count, &state);
    ungetwc((wint_t)c, wide->stream);
  }
  return result;
}

int vfwscanf(FILE *restrict stream, const wchar_t *restrict format, va_list arguments) {
  struct wide_source wide = {{.get = get, .unget = unget, .counts_characters = 1}, .stream = stream};
  __rz_orient(stream, 1);
  return scan(&wide, format, arguments);
}

int vswscanf(const wchar_t *restrict text, const wchar_t *restrict format, va_list arguments) {
  struct wide_source wide = {{.get = get, .unget = unget, .counts_characters = 1}, .text = text};
  return scan(&wide, format, arguments);
}

int fwscanf(FILE *restrict stream, const wchar_t *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vfwscanf(stream, format, arguments);
  va_end(arguments);
  return result;
}

int swscanf(const wchar_t *restrict text, const wchar_t *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vswscanf(text, format, arguments);
  va_end(arguments);
  return result;
}

int vwscanf(const wchar_t *restrict format, va_list arguments) { return vfwscanf(stdin, format, arguments); }

int wscanf(const wchar_t *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vfwscanf(stdin, format, arguments);
  va_end(arguments);
  return result;
}
