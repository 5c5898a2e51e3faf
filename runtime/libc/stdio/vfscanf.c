#include <stdarg.h>

#include "file.h"
#include "scan.h"

struct stream_source {
  struct __rz_source source;
  FILE *stream;
};

static int get(struct __rz_source *source) { return __rz_getc(((struct stream_source *)source)->stream); }

static void unget(struct __rz_source *source, int c) { ungetc(c, ((struct stream_source *)source)->stream); }

int vfscanf(FILE *restrict stream, const char *restrict format, va_list arguments) {
  struct stream_source from = {{.get = get, .unget = unget}, stream};
  return __rz_scan(&from.source, format, arguments);
}

int fscanf(FILE *restrict stream, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vfscanf(stream, format, arguments);
  va_end(arguments);
  return result;
}
