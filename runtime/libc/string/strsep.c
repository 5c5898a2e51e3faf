/* strsep: unlike strtok it yields empty fields. */
#include <string.h>

char *strsep(char **restrict text, const char *restrict delimiters) {
  char *field = *text;
  if (!field) return NULL;
  char *end = field + strcspn(field, delimiters);
  *text = *end ? end + 1 : NULL;
  *end = 0;
  return field;
}
