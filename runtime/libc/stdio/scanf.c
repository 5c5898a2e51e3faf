#include <stdarg.h>
#include <stdio.h>

int vscanf(const char *restrict format, va_list arguments) { return vfscanf(stdin, format, arguments); }

int scanf(const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vfscanf(stdin, format, arguments);
  va_end(arguments);
  return result;
}
