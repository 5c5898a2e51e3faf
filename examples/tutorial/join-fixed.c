/* Prints its arguments as one line of text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *join(int count, char **words) {
  size_t length = 1; /* the null byte */
  for (int i = 0; i < count; i++) length += strlen(words[i]) + (i > 0);
  char *text = malloc(length);
  if (text == NULL) exit(1);
  text[0] = '\0';
  for (int i = 0; i < count; i++) {
    if (i > 0) strcat(text, " ");
    strcat(text, words[i]);
  }
  return text;
}

int main(int argc, char **argv) {
  char *text = join(argc - 1, argv + 1);
  puts(text);
  free(text);
  return 0;
}
