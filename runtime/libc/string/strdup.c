/* strdup, strndup */
#include <stdlib.h>
#include <string.h>

char *strndup(const char *text, size_t n) {
  size_t length = strnlen(text, n);
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

char *strdup(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}
