/* Listing 1 of the paper: a text is used after it was freed, and after another took its place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *allocate_and_free(void) {
  char *first = strdup("A");
  free(first);
  char *second = strdup("B");
  return second ? first : NULL;
}

int main(void) {
  char *text = allocate_and_free();
  puts(text);
  return 0;
}
