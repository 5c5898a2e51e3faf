#include <stdarg.h>

#include "file.h"
#include "format.h"

struct stream_sink {
  struct __rz_sink sink;
  FILE *stream;
};

static void write_stream(struct __rz_sink *sink, const char *text, size_t n) {
  if (__rz_write_bytes(((struct stream_sink *)sink)->stream, text, n) < n) sink->failed = 1;
}

int vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments) {
  struct stream_sink to = {{.write = write_stream}, stream};
  if (stream->buffering != _IONBF) return __rz_format(&to.sink, format, arguments);

  /*
   * Without a buffer of its own a stream borrows one for this call, so that the text goes out in
   * one piece.
   */
  unsigned char borrowed[PUSHBACK + 512];
  if (__rz_begin_writing(stream)) return -1;
  unsigned char *own = stream->buffer;
  size_t own_capacity = stream->capacity;
  stream->buffering = _IOFBF;
  stream->buffer = stream->next = borrowed;
  stream->capacity = sizeof borrowed;
  stream->end = borrowed + sizeof borrowed;
  int result = __rz_format(&to.sink, format, arguments);
  if (stream->mode == WRITING && __rz_flush_output(stream)) result = -1;
  stream->buffering = _IONBF;
  stream->buffer = own;
  stream->capacity = own_capacity;
  stream->next = stream->end = own;
  stream->mode = IDLE;
  return result;
}

int fprintf(FILE *restrict stream, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vfprintf(stream, format, arguments);
  va_end(arguments);
  return result;
}
