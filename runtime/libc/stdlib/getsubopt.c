/* getsubopt: returns the next option of "name=value,name,...". */
#include <stdlib.h>
#include <string.h>

int getsubopt(char **option, char *const *tokens, char **value) {
  char *start = *option, *end = strchrnul(start, ',');
  *option = *end ? end + 1 : end;
  *end = 0;
  char *equals = strchrnul(start, '=');
  size_t length = (size_t)(equals - start);
  for (int i = 0; tokens[i]; i++) {
    if (strncmp(tokens[i], start, length) == 0 && tokens[i][length] == 0) {
      *value = *equals ? equals + 1 : NULL;
      return i;
    }
  }
  *value = start;
  return -1;
}
