#include <stdlib.h>

#include "engine.h"
#include "file.h"

/* Ends what the stream does now; it keeps its memory. */
static int shut(FILE *stream) {
  int result = 0;
  if (stream->mode == WRITING) result = __rz_flush_output(stream);
  if (stream->mode == READING) __rz_drop_input(stream);
  if (stream->functions->close && stream->functions->close(stream) < 0) result = EOF;
  return result;
}

int fclose(FILE *stream) {
  int result = shut(stream);
  __rz_unlist_stream(stream);
  if (stream->flags & OWNS_BUFFER) free(stream->buffer);
  if (stream->flags & OWNS_STREAM) {
    __rz_library_free(stream);
  } else {
    /* A standard stream stays, closed: using it fails with EBADF. */
    stream->buffer = NULL;
    stream->flags = 0;
    stream->mode = IDLE;
    stream->fd = -1;
  }
  return result;
}

int fcloseall(void) {
  int result = 0;
  while (__rz_first_stream()) {
    if (fclose(__rz_first_stream())) result = EOF;
  }
  return result;
}
