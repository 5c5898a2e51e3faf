/* The forms of scanf that read a stream. The source is a local of raw code (raw.h). */
#include <stdarg.h>

#include "engine.h"
#include "file.h"
#include "raw.h"
#include "scan.h"

RZ_RAW_BEGIN

/* How many bytes of the buffer are checked at once. */
#define AHEAD 64

/*
 * Where `at` of the source is not null, it is the next byte in the buffer of the stream, in place
 * of `next` of the stream.
 */
struct stream_source {
  struct __rz_source source;
  FILE *stream;
  int asks; /* whether it is a stream (file.h), and the engine answers questions */
};

static void give_back(struct stream_source *from) {
  if (from->source.at) from->stream->next = (unsigned char *)from->source.at;
  from->source.at = from->source.known = NULL;
}

static int get(struct __rz_source *source) {
  struct stream_source *from = (struct stream_source *)source;
  give_back(from);
  int c = fgetc(from->stream);
  if (c == EOF || !from->asks) return c;
  size_t ready = __rz_raw_unread(from->stream);
  if (ready > AHEAD) ready = AHEAD;
  if (ready == 0 || !__rz_range_is_written(from->stream->next, ready)) return c;
  source->at = (const char *)from->stream->next;
  source->known = source->at + ready;
  return c;
}

/* The byte is in the buffer before the next one. */
static void unget(struct __rz_source *source, int c) {
  if (source->at) source->at--;
  else ungetc(c, ((struct stream_source *)source)->stream);
}

RZ_RAW_ENTRY static int scan_stream(FILE *stream, const char *format, va_list arguments, int asks) {
  struct stream_source from = {{.get = get, .unget = unget}, stream, asks};
  int result = __rz_scan(&from.source, format, arguments);
  give_back(&from);
  return result;
}

RZ_RAW_END

int vfscanf(FILE *restrict stream, const char *restrict format, va_list arguments) {
  int asks = stream->self == stream && __rz_range_is_written(stream, sizeof stream);
  return scan_stream(stream, format, arguments, asks);
}

int fscanf(FILE *restrict stream, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vfscanf(stream, format, arguments);
  va_end(arguments);
  return result;
}
