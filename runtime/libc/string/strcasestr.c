/* strcasestr: a plain double loop, since its callers do not search for long parts. */
#include <string.h>

char *strcasestr(const char *text, const char *part) {
  size_t length = strlen(part);
  for (;; text++) {
    if (strncasecmp(text, part, length) == 0) return (char *)text;
    if (*text == 0) return NULL;
  }
}
