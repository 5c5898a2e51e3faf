/* strncat */
#include <string.h>

char *strncat(char *restrict to, const char *restrict from, size_t n) {
  char *end = to + strlen(to);
  size_t length = strnlen(from, n);
  memcpy(end, from, length);
  end[length] = 0;
  return to;
}
