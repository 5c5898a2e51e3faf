/* Starts a program of the machine, if the user allows it, and waits for its end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "children.h"
#include "engine.h"
#include "fd.h"
#include "host.h"
#include "unsupported.h"

/* The strings one after the other, the first one before them; NULL with errno. */
static char *joined(const char *first, char *const list[], size_t *length) {
  size_t n = first ? strlen(first) + 1 : 0;
  for (size_t i = 0; list && list[i]; i++) n += strlen(list[i]) + 1;
  char *text = malloc(n + 1), *end = text;
  if (!text) return NULL;
  if (first) end = stpcpy(end, first) + 1;
  for (size_t i = 0; list && list[i]; i++) end = stpcpy(end, list[i]) + 1;
  *length = n;
  return text;
}

int __rz_run_program(const char *call, const char *path, char *const arguments[], char *const environment[],
                     const int descriptors[3]) {
  int handles[3];
  for (int i = 0; i < 3; i++) {
    struct __rz_open_file *file = descriptors[i] < 0 ? NULL : __rz_fd_file(descriptors[i]);
    if (descriptors[i] >= 0 && !file) return -1;
    /* A stream that is not a file of the host, such as a pipe inside the program, is closed. */
    handles[i] = file && !file->functions ? file->handle : -1;
  }
  size_t given, known;
  char *strings = joined(path, arguments, &given), *variables = joined(NULL, environment, &known);
  int status = strings && variables ? __host_run(strings, given, variables, known, handles) : -ENOMEM;
  free(strings);
  free(variables);
  if (status == -EPERM) {
    static char message[128];
    strlcpy(message, call, sizeof message);
    strlcat(message, ": " NO_CHILDREN, sizeof message);
    __rz_abort("unsupported", message);
  }
  if (status >= 0) return status;
  errno = -status;
  return -1;
}
