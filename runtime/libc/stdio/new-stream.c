#include "engine.h"
#include "file.h"

FILE *__rz_new_stream(const struct __rz_stream_functions *functions, void *cookie, int fd, int flags) {
  FILE *stream = __rz_library_block(sizeof *stream);
  if (!stream) return NULL;
  stream->self = stream;
  stream->functions = functions;
  stream->cookie = cookie;
  stream->fd = fd;
  stream->flags = flags | OWNS_STREAM;
  stream->buffering = _IOFBF;
  __rz_list_stream(stream);
  return stream;
}
