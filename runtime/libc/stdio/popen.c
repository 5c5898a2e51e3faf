/*
 * popen: a command whose output is read, or whose input is written, through a file in memory. One
 * that is read has ended when popen returns; one that is written to begins when pclose is called.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "children.h"
#include "engine.h"
#include "result.h"

struct child {
  FILE *stream;
  char *command; /* that is still to run; NULL if it has ended */
  int status;
  struct child *next;
};

static struct child *children;

FILE *popen(const char *command, const char *mode) {
  __rz_range_output(command, strlen(command) + 1);
  int is_read = mode[0] == 'r';
  if (!is_read && mode[0] != 'w') return errno = EINVAL, NULL;
  struct child *child = calloc(1, sizeof *child);
  FILE *stream = child ? tmpfile() : NULL;
  if (!stream) return free(child), NULL;
  if (is_read)
    child->status = RUN_SHELL("popen", command, ((int[]){0, fileno(stream), 2}));
  else
    child->command = strdup(command);
  if (child->status < 0 || (!is_read && !child->command)) {
    fclose(stream);
    return free(child), NULL;
  }
  lseek(fileno(stream), 0, SEEK_SET);
  child->stream = stream;
  child->next = children;
  children = child;
  return stream;
}

int pclose(FILE *stream) {
  struct child **place = &children;
  while (*place && (*place)->stream != stream) place = &(*place)->next;
  struct child *child = *place;
  if (!child) return __rz_error(ECHILD);
  *place = child->next;
  int status = child->status;
  if (child->command) {
    fflush(stream);
    lseek(fileno(stream), 0, SEEK_SET);
    status = RUN_SHELL("popen", child->command, ((int[]){fileno(stream), 1, 2}));
    free(child->command);
  }
  fclose(stream);
  free(child);
  return status;
}
