#include <stdarg.h>
#include <stdio.h>

int vprintf(const char *restrict format, va_list arguments) { return vfprintf(stdout, format, arguments); }

int printf(const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vfprintf(stdout, format, arguments);
  va_end(arguments);
  return result;
}
