#include <errno.h>
#include <fcntl.h>

#include "file.h"

FILE *fdopen(int fd, const char *mode) {
  int stream_flags;
  int flags = __rz_parse_mode(mode, &stream_flags);
  int open_flags = fcntl(fd, F_GETFL);
  if (flags < 0 || open_flags < 0) return NULL;
  int access = open_flags & O_ACCMODE;
  if (((stream_flags & CAN_READ) && access == O_WRONLY) || ((stream_flags & CAN_WRITE) && access == O_RDONLY)) {
    errno = EINVAL;
    return NULL;
  }
  if ((stream_flags & APPENDS) && !(open_flags & O_APPEND)) fcntl(fd, F_SETFL, open_flags | O_APPEND);
  if (flags & O_CLOEXEC) fcntl(fd, F_SETFD, FD_CLOEXEC);
  return __rz_new_stream(&__rz_fd_functions, NULL, fd, stream_flags | ASK_TERMINAL);
}
