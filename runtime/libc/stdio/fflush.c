#include "file.h"

static int flush(FILE *stream) {
  if (stream->mode == WRITING) return __rz_flush_output(stream);
  if (stream->mode == READING) return __rz_drop_input(stream);
  return 0;
}

int fflush(FILE *stream) {
  if (stream) return flush(stream);
  int result = 0;
  for (stream = __rz_first_stream(); stream; stream = stream->following) {
    if (stream->mode == WRITING && __rz_flush_output(stream)) result = EOF;
  }
  return result;
}

int fflush_unlocked(FILE *stream) { return fflush(stream); }
