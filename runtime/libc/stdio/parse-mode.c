/*
 * The mode of fopen: r, w or a, then + b x e (close-on-exec) m c in any order, and ",ccs=..." which
 * is ignored.
 */
#include <errno.h>
#include <fcntl.h>

#include "file.h"

int __rz_parse_mode(const char *mode, int *stream_flags) {
  int flags, stream;
  switch (*mode) {
    case 'r': flags = O_RDONLY; stream = CAN_READ; break;
    case 'w': flags = O_WRONLY | O_CREAT | O_TRUNC; stream = CAN_WRITE; break;
    case 'a': flags = O_WRONLY | O_CREAT | O_APPEND; stream = CAN_WRITE | APPENDS; break;
    default: errno = EINVAL; return -1;
  }
  for (const char *at = mode + 1; *at && *at != ','; at++) {
    if (*at == '+') {
      flags = (flags & ~O_ACCMODE) | O_RDWR;
      stream |= CAN_READ | CAN_WRITE;
    }
    if (*at == 'x') flags |= O_EXCL;
    if (*at == 'e') flags |= O_CLOEXEC;
  }
  *stream_flags = stream;
  return flags;
}
