#include <string.h>

#include "file.h"

int puts(const char *text) {
  size_t n = strlen(text);
  if (__rz_write_bytes(stdout, text, n) < n) return EOF;
  return __rz_putc('\n', stdout) == EOF ? EOF : 0;
}
