/* strrchr */
#include <string.h>

#include "engine.h"
#include "raw.h"

char *strrchr(const char *text, int c) {
  size_t length = __rz_raw_strlen(text), seen = __rz_range_scan(text, length + 1);
  return __rz_raw_memrchr(text, c, seen);
}
