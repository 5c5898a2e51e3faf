/* strchr, strchrnul, index */
#include <string.h>

#include "engine.h"
#include "raw.h"

size_t __rz_raw_strchrnul(const char *text, int c) {
  size_t i = 0;
  while (text[i] != (char)c && text[i] != 0) i++;
  return i;
}

char *strchrnul(const char *text, int c) {
  size_t i = __rz_raw_strchrnul(text, c), seen = __rz_range_scan(text, i + 1);
  return (char *)text + (seen > i ? i : seen);
}

char *strchr(const char *text, int c) {
  size_t i = __rz_raw_strchrnul(text, c);
  return __rz_range_scan(text, i + 1) > i && text[i] == (char)c ? (char *)text + i : NULL;
}
