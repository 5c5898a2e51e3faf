/* strcasestr: the plain double loop; nothing that uses it searches for long parts. */
#include <string.h>

char *strcasestr(const char *text, const char *part) {
  size_t length = strlen(part);
  for (;; text++) {
    if (strncasecmp(text, part, length) == 0) return (char *)text;
    if (*text == 0) return NULL;
  }
}
