/* strncpy, stpncpy: copy at most n bytes and fill with zeros up to n. */
#include <string.h>

char *stpncpy(char *restrict to, const char *restrict from, size_t n) {
  size_t length = strnlen(from, n);
  memcpy(to, from, length);
  memset(to + length, 0, n - length);
  return to + length;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n) {
  stpncpy(to, from, n);
  return to;
}
