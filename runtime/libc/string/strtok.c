/* strtok, strtok_r */
#include <string.h>

char *strtok_r(char *restrict text, const char *restrict delimiters, char **restrict state) {
  if (!text) text = *state;
  if (!text) return NULL;
  text += strspn(text, delimiters);
  if (*text == 0) {
    *state = NULL;
    return NULL;
  }
  char *end = text + strcspn(text, delimiters);
  *state = *end ? end + 1 : NULL;
  *end = 0;
  return text;
}

char *strtok(char *restrict text, const char *restrict delimiters) {
  static char *state;
  return strtok_r(text, delimiters, &state);
}
