/* getpass reads a line from standard input; crypt supports no method and fails. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "given.h"
#include "result.h"

char *getpass(const char *prompt) {
  static char line[128];
  fputs(prompt, stderr);
  if (!fgets(line, sizeof line, stdin)) return NULL;
  line[strcspn(line, "\n")] = 0;
  return line;
}

char *crypt(const char *key, const char *salt) {
  __rz_given_text(key);
  __rz_given_text(salt);
  errno = ENOSYS;
  return NULL;
}
