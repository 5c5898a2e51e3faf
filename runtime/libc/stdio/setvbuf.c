#include <errno.h>
#include <stdlib.h>

#include "engine.h"
#include "file.h"

int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size) {
  if (mode != _IOFBF && mode != _IOLBF && mode != _IONBF) {
    errno = EINVAL;
    return -1;
  }
  if (buffer) __rz_range_read(buffer, size);
  fflush(stream);
  if (stream->flags & OWNS_BUFFER) free(stream->buffer);
  stream->flags &= ~(OWNS_BUFFER | ASK_TERMINAL | OF_LIBRARY);
  stream->buffering = mode;
  stream->buffer = NULL;
  stream->next = stream->end = NULL;
  stream->mode = IDLE;
  /* A buffer that cannot hold what ungetc may push back is not used. */
  if (mode != _IONBF && buffer && size > SMALL_BUFFER) {
    stream->buffer = (unsigned char *)buffer;
    stream->capacity = size;
  }
  return 0;
}

void setbuf(FILE *restrict stream, char *restrict buffer) { setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ); }

void setbuffer(FILE *stream, char *buffer, size_t size) { setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, size); }

void setlinebuf(FILE *stream) { setvbuf(stream, NULL, _IOLBF, 0); }
