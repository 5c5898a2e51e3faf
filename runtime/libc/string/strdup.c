/* strdup, strndup */
#include <stdlib.h>
#include <string.h>

static char *copy_of(const char *text, size_t length) {
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

char *strndup(const char *text, size_t n) { return copy_of(text, strnlen(text, n)); }

char *strdup(const char *text) { return copy_of(text, strlen(text)); }
