#include "engine.h"
#include "file.h"

size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict stream) {
  size_t bytes;
  if (size == 0 || __builtin_mul_overflow(size, count, &bytes)) return 0;
  __rz_range_output(from, bytes);
  size_t done = __rz_write_bytes(stream, from, bytes);
  return done == bytes ? count : done / size;
}

size_t fwrite_unlocked(const void *restrict from, size_t size, size_t count, FILE *restrict stream) {
  return fwrite(from, size, count, stream);
}
