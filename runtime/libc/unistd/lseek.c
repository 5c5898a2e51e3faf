#include <unistd.h>

#include "fd.h"
#include "host.h"
#include "result.h"

off_t lseek(int fd, off_t offset, int whence) {
  struct __rz_open_file *file = __rz_fd_file(fd);
  if (!file) return -1;
  if (file->functions) return __rz_error(ESPIPE);
  return __rz_result(__host_seek(file->handle, offset, whence));
}
