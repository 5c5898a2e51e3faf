#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "wide.h"

char *__rz_utf8_of(const wchar_t *text) {
  char *bytes = malloc(wcslen(text) * MB_LEN_MAX + 1);
  size_t count = 0;
  if (!bytes) return NULL;
  for (; *text; text++) {
    size_t n = __rz_utf8_encode(bytes + count, *text);
    if (n == (size_t)-1) {
      free(bytes);
      return NULL;
    }
    count += n;
  }
  bytes[count] = 0;
  return bytes;
}

long __rz_wide_of(wchar_t *wide, size_t room, const char *text) {
  mbstate_t state = {0};
  size_t count = 0, left = strlen(text);
  while (left > 0) {
    wchar_t c;
    size_t used = __rz_utf8_decode(&c, text, left, &state);
    if (used > left || count == room) return -1;
    wide[count++] = c;
    text += used;
    left -= used;
  }
  wide[count] = 0;
  return (long)count;
}
