#include <unistd.h>

#include "fd.h"
#include "host.h"
#include "result.h"

int isatty(int fd) {
  struct __rz_open_file *file = __rz_fd_file(fd);
  if (!file) return 0;
  int result = file->functions ? -ENOTTY : __host_isatty(file->handle);
  return __rz_result(result) > 0;
}
