#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int vasprintf(char **restrict to, const char *restrict format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  int result = text ? vsnprintf(text, (size_t)length + 1, format, again) : -1;
  va_end(again);
  *to = text;
  return result;
}

int asprintf(char **restrict to, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vasprintf(to, format, arguments);
  va_end(arguments);
  return result;
}
