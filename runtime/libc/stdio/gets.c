/*
 * Kept because old programs call it, and because an engine that checks makes it safe to: the
 * overflow is found.
 */
#include "file.h"

char *gets(char *line) {
  char *at = line;
  int c;
  while ((c = __rz_getc(stdin)) != EOF && c != '\n') *at++ = (char)c;
  if (c == EOF && (at == line || (stdin->flags & HAS_FAILED))) return NULL;
  *at = 0;
  return line;
}
