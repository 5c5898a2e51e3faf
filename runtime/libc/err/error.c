#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void (*error_print_progname)(void);
unsigned error_message_count;
int error_one_per_line;

static void begin(void) {
  fflush(stdout);
  if (error_print_progname) error_print_progname();
  else fprintf(stderr, "%s:", program_invocation_name);
}

static void finish(int status, int number) {
  error_message_count++;
  if (number) fprintf(stderr, ": %s", strerror(number));
  fputc('\n', stderr);
  if (status) exit(status);
}

void error(int status, int number, const char *format, ...) {
  va_list arguments;
  begin();
  fputc(' ', stderr);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  finish(status, number);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
  static const char *last_file;
  static unsigned last_line;
  if (error_one_per_line && file && last_file && line == last_line && strcmp(file, last_file) == 0) return;
  last_file = file;
  last_line = line;
  va_list arguments;
  begin();
  if (file) fprintf(stderr, "%s:%u: ", file, line);
  else fputc(' ', stderr);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  finish(status, number);
}
