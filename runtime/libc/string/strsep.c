/* strsep: unlike strtok it yields empty fields. */
#include <string.h>

#include "engine.h"
#include "raw.h"

char *strsep(char **restrict text, const char *restrict delimiters) {
  char *field = *text;
  if (!field) return NULL;
  size_t length = !delimiters[0] || delimiters[1] ? strcspn(field, delimiters) : __rz_raw_strchrnul(field, *delimiters);
  size_t seen = __rz_range_scan(field, length + 1);
  char *end = field + (seen > length ? length : seen);
  *text = *end ? end + 1 : NULL;
  *end = 0;
  return field;
}
