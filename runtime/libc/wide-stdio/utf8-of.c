#include <limits.h>
#include <stdlib.h>
#include <wchar.h>

#include "wide.h"

char *__rz_utf8_of(const wchar_t *text) {
  char *bytes = malloc(wcslen(text) * MB_LEN_MAX + 1);
  size_t count = 0;
  if (!bytes) return NULL;
  for (; *text; text++) {
    size_t n = wcrtomb(bytes + count, *text, NULL);
    if (n == (size_t)-1) {
      free(bytes);
      return NULL;
    }
    count += n;
  }
  bytes[count] = 0;
  return bytes;
}
