#include <stdarg.h>

#include "file.h"

int vdprintf(int fd, const char *restrict format, va_list arguments) {
  FILE stream = {.functions = &__rz_fd_functions, .fd = fd, .flags = CAN_WRITE, .buffering = _IONBF};
  int result = vfprintf(&stream, format, arguments);
  __rz_unlist_stream(&stream);
  return result;
}

int dprintf(int fd, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vdprintf(fd, format, arguments);
  va_end(arguments);
  return result;
}
