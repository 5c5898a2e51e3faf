#include <fcntl.h>
#include <unistd.h>

#include "file.h"

FILE *fopen(const char *restrict path, const char *restrict mode) {
  int stream_flags;
  int flags = __rz_parse_mode(mode, &stream_flags);
  if (flags < 0) return NULL;
  int fd = open(path, flags, 0666);
  if (fd < 0) return NULL;
  FILE *stream = __rz_new_stream(&__rz_fd_functions, NULL, fd, stream_flags | ASK_TERMINAL);
  if (!stream) close(fd);
  return stream;
}
