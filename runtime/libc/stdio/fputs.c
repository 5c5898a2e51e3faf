#include <string.h>

#include "file.h"

int fputs(const char *restrict text, FILE *restrict stream) {
  size_t n = strlen(text);
  return __rz_write_bytes(stream, text, n) == n ? 0 : EOF;
}

int fputs_unlocked(const char *restrict text, FILE *restrict stream) { return fputs(text, stream); }
