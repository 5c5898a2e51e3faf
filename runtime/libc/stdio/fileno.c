#include <errno.h>

#include "file.h"

int fileno(FILE *stream) {
  if (stream->fd < 0) errno = EBADF;
  return stream->fd;
}

int fileno_unlocked(FILE *stream) { return fileno(stream); }
