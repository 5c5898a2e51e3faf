/* uniq: each line that differs from the one before it; lines are kept on the heap. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_line(void) {
  size_t used = 0, room = 4;
  char *line = malloc(room);
  int c;
  while (line && (c = getchar()) != EOF && c != '\n') {
    if (used + 1 == room) line = realloc(line, room *= 2);
    if (line) line[used++] = (char)c;
  }
  if (line && used == 0 && c == EOF) {
    free(line);
    return NULL;
  }
  if (line) line[used] = '\0';
  return line;
}

int main(void) {
  char *last = NULL, *line;
  while ((line = read_line()) != NULL) {
    if (!last || strcmp(last, line) != 0) puts(line);
    free(last);
    last = line;
  }
  free(last);
  return 0;
}
