/* memset and the functions that erase memory. */
#include <string.h>

#include "engine.h"
#include "raw.h"
#include "words.h"

/* Up to 16 bytes are two stores that may overlap; longer ranges use WebAssembly's memory.fill. */
void __rz_raw_memset(void *memory, int byte, size_t n) {
  char *d = memory;
  uint64_t pattern = (unsigned char)byte * __RZ_LOW_BITS;
  if (n > 16) {
    __builtin_memset(d, byte, n);
  } else if (n >= 8) {
    __rz_raw_store64(d, pattern);
    __rz_raw_store64(d + n - 8, pattern);
  } else if (n >= 4) {
    __builtin_memcpy(d, &pattern, 4);
    __builtin_memcpy(d + n - 4, &pattern, 4);
  } else if (n != 0) {
    d[0] = d[n / 2] = d[n - 1] = (char)byte;
  }
}

void *memset(void *memory, int byte, size_t n) {
  __rz_range_write(memory, n);
  __rz_raw_memset(memory, byte, n);
  return memory;
}
