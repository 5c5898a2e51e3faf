#include <stdarg.h>
#include <stdio.h>

#include "scan.h"

struct string_source {
  struct __rz_source source;
  const char *at;
};

static int get(struct __rz_source *source) {
  struct string_source *string = (struct string_source *)source;
  return *string->at ? (unsigned char)*string->at++ : EOF;
}

static void unget(struct __rz_source *source, int c) {
  (void)c;
  ((struct string_source *)source)->at--;
}

int vsscanf(const char *restrict text, const char *restrict format, va_list arguments) {
  struct string_source from = {{.get = get, .unget = unget}, text};
  return __rz_scan(&from.source, format, arguments);
}

int sscanf(const char *restrict text, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vsscanf(text, format, arguments);
  va_end(arguments);
  return result;
}
