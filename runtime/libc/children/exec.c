/*
 * exec: the new program runs to its end as a child, and the calling program ends with the status of
 * the child.
 */
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "children.h"
#include "result.h"
#include "unsupported.h"

/* A name without a slash is a file of the current folder, or is searched in PATH. */
static int replace(const char *path, char *const arguments[], char *const environment[], int in_path) {
  char here[4096];
  if (!in_path && !strchr(path, '/') && strlen(path) + 3 <= sizeof here) {
    strcpy(stpcpy(here, "./"), path);
    path = here;
  }
  int status = __rz_run_program("exec", path, arguments, environment, (int[]){0, 1, 2});
  if (status < 0) return -1;
  if (WIFSIGNALED(status)) raise(WTERMSIG(status));
  _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

int execve(const char *path, char *const arguments[], char *const environment[]) {
  return replace(path, arguments, environment, 0);
}

int execv(const char *path, char *const arguments[]) { return replace(path, arguments, environ, 0); }
int execvp(const char *file, char *const arguments[]) { return replace(file, arguments, environ, 1); }
int execvpe(const char *file, char *const arguments[], char *const environment[]) {
  return replace(file, arguments, environment, 1);
}

#define MOST_ARGUMENTS 256

/* The arguments of a call up to the null pointer, in `words`. */
#define COLLECT(words, argument, rest)                        \
  char *words[MOST_ARGUMENTS] = {(char *)argument};           \
  va_list rest;                                               \
  va_start(rest, argument);                                   \
  for (int i = 0; words[i]; i++) {                            \
    if (i + 1 == MOST_ARGUMENTS) return __rz_error(E2BIG);    \
    words[i + 1] = va_arg(rest, char *);                      \
  }

int execl(const char *path, const char *argument, ...) {
  COLLECT(words, argument, rest)
  va_end(rest);
  return replace(path, words, environ, 0);
}

int execle(const char *path, const char *argument, ...) {
  COLLECT(words, argument, rest)
  char *const *environment = va_arg(rest, char *const *);
  va_end(rest);
  return replace(path, words, environment, 0);
}

int execlp(const char *file, const char *argument, ...) {
  COLLECT(words, argument, rest)
  va_end(rest);
  return replace(file, words, environ, 1);
}

int fexecve(int fd, char *const arguments[], char *const environment[]) {
  (void)fd, (void)arguments, (void)environment;
  UNSUPPORTED("fexecve", ONE_PROCESS);
}
