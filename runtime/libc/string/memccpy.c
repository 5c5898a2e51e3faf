/* memccpy */
#include <string.h>

void *memccpy(void *restrict to, const void *restrict from, int byte, size_t n) {
  const char *found = memchr(from, byte, n);
  if (!found) {
    memcpy(to, from, n);
    return NULL;
  }
  size_t copied = (size_t)(found - (const char *)from) + 1;
  return (char *)memcpy(to, from, copied) + copied;
}
