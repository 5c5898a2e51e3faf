/*
 * A file without a name, which the host keeps in memory: it needs no folder, and it is deleted
 * when it is closed.
 */
#include <fcntl.h>
#include <unistd.h>

#include "file.h"

FILE *tmpfile(void) {
  int fd = open(".", O_TMPFILE | O_RDWR, 0600);
  if (fd < 0) return NULL;
  FILE *stream = __rz_new_stream(&__rz_fd_functions, NULL, fd, CAN_READ | CAN_WRITE);
  if (!stream) close(fd);
  return stream;
}
