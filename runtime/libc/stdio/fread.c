#include "file.h"

size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict stream) {
  size_t bytes;
  if (size == 0 || __builtin_mul_overflow(size, count, &bytes)) return 0;
  size_t done = __rz_read_bytes(stream, to, bytes);
  return done == bytes ? count : done / size;
}

size_t fread_unlocked(void *restrict to, size_t size, size_t count, FILE *restrict stream) {
  return fread(to, size, count, stream);
}
