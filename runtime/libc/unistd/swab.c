#include <unistd.h>

void swab(const void *restrict from, void *restrict to, ssize_t n) {
  const char *source = from;
  char *target = to;
  for (ssize_t i = 0; i + 1 < n; i += 2) {
    char first = source[i];
    target[i] = source[i + 1];
    target[i + 1] = first;
  }
}
