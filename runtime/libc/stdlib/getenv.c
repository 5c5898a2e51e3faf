/* getenv */
#include <stdlib.h>
#include <string.h>

extern char **environ;

char *getenv(const char *name) {
  size_t length = strlen(name);
  if (length == 0 || !environ) return NULL;
  for (char **entry = environ; *entry; entry++)
    if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=') return *entry + length + 1;
  return NULL;
}

char *secure_getenv(const char *name) { return getenv(name); }
