/* The forms of printf that write to a stream. The sink is a local of raw code (raw.h). */
#include <stdarg.h>

#include "file.h"
#include "format.h"

RZ_RAW_BEGIN

struct stream_sink {
  struct __rz_sink sink;
  FILE *stream;
};

static void write_stream(struct __rz_sink *sink, const char *text, size_t n) {
  if (__rz_write_bytes(((struct stream_sink *)sink)->stream, text, n) < n) sink->failed = 1;
}

static void write_own(struct __rz_sink *sink, const char *text, size_t n) {
  if (__rz_write_own_bytes(((struct stream_sink *)sink)->stream, text, n) < n) sink->failed = 1;
}

RZ_RAW_ENTRY static int format_stream(FILE *stream, const char *format, va_list arguments) {
  struct stream_sink to = {{.write = write_stream, .write_own = write_own}, stream};
  return __rz_format(&to.sink, format, arguments);
}

RZ_RAW_END

/*
 * An unbuffered stream borrows a buffer for this call, so that the text is written at once. This
 * is a function of its own, since the monitor tracks that buffer as an object.
 */
__attribute__((noinline)) static int format_unbuffered(FILE *stream, const char *format, va_list arguments) {
  unsigned char borrowed[PUSHBACK + 512];
  if (__rz_begin_writing(stream)) return -1;
  unsigned char *own = stream->buffer;
  size_t own_capacity = stream->capacity;
  stream->buffering = _IOFBF;
  stream->buffer = stream->next = borrowed;
  stream->capacity = sizeof borrowed;
  stream->end = borrowed + sizeof borrowed;
  int result = format_stream(stream, format, arguments);
  if (stream->mode == WRITING && __rz_flush_output(stream)) result = -1;
  stream->buffering = _IONBF;
  stream->buffer = own;
  stream->capacity = own_capacity;
  stream->next = stream->end = own;
  stream->mode = IDLE;
  return result;
}

int vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments) {
  return stream->buffering == _IONBF ? format_unbuffered(stream, format, arguments)
                                     : format_stream(stream, format, arguments);
}

int fprintf(FILE *restrict stream, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vfprintf(stream, format, arguments);
  va_end(arguments);
  return result;
}
