/* memrchr */
#include <string.h>

#include "engine.h"
#include "raw.h"

void *__rz_raw_memrchr(const void *memory, int byte, size_t n) {
  const unsigned char *at = memory;
  while (n-- != 0)
    if (at[n] == (unsigned char)byte) return (void *)(at + n);
  return NULL;
}

void *memrchr(const void *memory, int byte, size_t n) {
  __rz_range_read(memory, n);
  const char *found = __rz_raw_memrchr(memory, byte, n), *end = (const char *)memory + n;
  const char *last = found ? found : memory;
  __rz_range_output(last, (size_t)(end - last));
  return (void *)found;
}
