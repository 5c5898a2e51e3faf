/* The forms of scanf that read text. The source is a local of raw code (raw.h). */
#include <stdarg.h>
#include <stdio.h>

#include "raw.h"
#include "scan.h"

__attribute__((noinline)) static int byte_at(const char *at) { return (unsigned char)*at; }

RZ_RAW_BEGIN

struct string_source {
  struct __rz_source source;
  const char *at;
};

static int get(struct __rz_source *source) {
  struct string_source *string = (struct string_source *)source;
  int c = byte_at(string->at);
  if (c == 0) return EOF;
  string->at++;
  return c;
}

static void unget(struct __rz_source *source, int c) {
  (void)c;
  ((struct string_source *)source)->at--;
}

RZ_RAW_ENTRY static int scan_string(const char *text, const char *format, va_list arguments) {
  struct string_source from = {{.get = get, .unget = unget}, text};
  return __rz_scan(&from.source, format, arguments);
}

RZ_RAW_END

int vsscanf(const char *restrict text, const char *restrict format, va_list arguments) {
  return scan_string(text, format, arguments);
}

int sscanf(const char *restrict text, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = scan_string(text, format, arguments);
  va_end(arguments);
  return result;
}
