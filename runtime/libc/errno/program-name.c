/* The program's name, as start/ sets it: GNU's two variables and the BSD functions. */
#include <bsd/stdlib.h>
#include <errno.h>
#include <string.h>

char *program_invocation_name = "";
char *program_invocation_short_name = "";

const char *getprogname(void) { return program_invocation_short_name; }

void setprogname(const char *name) {
  const char *slash = strrchr(name, '/');
  program_invocation_short_name = (char *)(slash ? slash + 1 : name);
}
