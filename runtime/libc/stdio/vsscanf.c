/* The forms of scanf that read text. The source is a local of raw code (raw.h). */
#include <stdarg.h>
#include <stdio.h>

#include "engine.h"
#include "raw.h"
#include "scan.h"

/* How many bytes of the text are checked at once. */
#define AHEAD 64

__attribute__((noinline)) static int byte_at(const char *at) { return (unsigned char)*at; }

RZ_RAW_BEGIN

static int get(struct __rz_source *source) {
  int c = byte_at(source->at);
  if (c == 0) return EOF;
  source->at++;
  return c;
}

/* The text may end without a zero behind what is read, so that some of its bytes are invalid. */
static int get_ahead(struct __rz_source *source) {
  size_t length = __rz_raw_strnlen(source->at, AHEAD);
  if (length == 0 || !__rz_range_is_written(source->at, length)) return get(source);
  source->known = source->at + length;
  return (unsigned char)*source->at++;
}

static void unget(struct __rz_source *source, int c) {
  (void)c;
  source->at--;
}

RZ_RAW_ENTRY static int scan_string(const char *text, const char *format, va_list arguments, int asks) {
  struct __rz_source from = {.get = asks ? get_ahead : get, .unget = unget, .at = text};
  return __rz_scan(&from, format, arguments);
}

RZ_RAW_END

int vsscanf(const char *restrict text, const char *restrict format, va_list arguments) {
  return scan_string(text, format, arguments, __rz_range_is_written(text, 1));
}

int sscanf(const char *restrict text, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = scan_string(text, format, arguments, __rz_range_is_written(text, 1));
  va_end(arguments);
  return result;
}
