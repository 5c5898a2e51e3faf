/* memfrob: every byte exclusive-or 42, GNU. */
#include <string.h>

void *memfrob(void *memory, size_t n) {
  unsigned char *bytes = memory;
  for (size_t i = 0; i < n; i++) bytes[i] ^= 42;
  return memory;
}
