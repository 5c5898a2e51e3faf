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

/* A standard stream stays, closed: using it fails with EBADF. */
static int is_closed(const FILE *stream) {
  return !(stream->flags & OWNS_STREAM) && stream->functions == &__rz_fd_functions && stream->fd < 0;
}

int fclose(FILE *stream) {
  if (is_closed(stream)) __rz_abort("abort", "fclose of a stream that is closed already");
  int result = shut(stream);
  __rz_unlist_stream(stream);
  if (stream->flags & OWNS_BUFFER) free(stream->buffer);
  if (stream->flags & OWNS_STREAM) {
    __rz_library_free(stream);
  } else {
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
