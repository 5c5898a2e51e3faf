#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "file.h"

/* The same file in another mode, if the descriptor allows it. */
static int change_mode(FILE *stream, int flags, int stream_flags) {
  int open_flags = fcntl(stream->fd, F_GETFL);
  if (open_flags < 0) return -1;
  int access = open_flags & O_ACCMODE;
  int wanted = flags & O_ACCMODE;
  if (access != O_RDWR && access != wanted) {
    errno = EBADF;
    return -1;
  }
  if ((stream_flags & APPENDS) && fcntl(stream->fd, F_SETFL, open_flags | O_APPEND) < 0) return -1;
  return (flags & O_TRUNC) ? ftruncate(stream->fd, 0) : 0;
}

/*
 * The new file takes over the old descriptor, so that code that has its number sees the new file.
 */
static int open_over(FILE *stream, const char *path, int flags) {
  int fd = open(path, flags, 0666);
  if (fd < 0) return -1;
  if (stream->fd < 0 || fd == stream->fd) {
    stream->fd = fd;
    return 0;
  }
  int result = dup2(fd, stream->fd);
  close(fd);
  return result;
}

FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream) {
  int stream_flags;
  int flags = __rz_parse_mode(mode, &stream_flags);
  fflush(stream);
  int result = flags;
  if (flags >= 0) result = path ? open_over(stream, path, flags) : change_mode(stream, flags, stream_flags);
  if (result < 0) {
    int number = errno;
    if (stream->fd >= 0 || stream->functions != &__rz_fd_functions) fclose(stream);
    errno = number;
    return NULL;
  }
  stream->functions = &__rz_fd_functions;
  stream->flags = (stream->flags & (OWNS_BUFFER | OWNS_STREAM | OF_LIBRARY)) | stream_flags | ASK_TERMINAL;
  stream->buffering = _IOFBF;
  if (stream->buffer == stream->small) stream->buffer = NULL;
  stream->mode = IDLE;
  stream->orientation = 0;
  __rz_list_stream(stream);
  return stream;
}
