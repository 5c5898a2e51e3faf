/* The forms of scanf that read a stream. The source is a local of raw code (raw.h). */
#include <stdarg.h>

#include "file.h"
#include "raw.h"
#include "scan.h"

RZ_RAW_BEGIN

struct stream_source {
  struct __rz_source source;
  FILE *stream;
};

static int get(struct __rz_source *source) { return fgetc(((struct stream_source *)source)->stream); }

static void unget(struct __rz_source *source, int c) { ungetc(c, ((struct stream_source *)source)->stream); }

RZ_RAW_ENTRY static int scan_stream(FILE *stream, const char *format, va_list arguments) {
  struct stream_source from = {{.get = get, .unget = unget}, stream};
  return __rz_scan(&from.source, format, arguments);
}

RZ_RAW_END

int vfscanf(FILE *restrict stream, const char *restrict format, va_list arguments) {
  return scan_stream(stream, format, arguments);
}

int fscanf(FILE *restrict stream, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vfscanf(stream, format, arguments);
  va_end(arguments);
  return result;
}
