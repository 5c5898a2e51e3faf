#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "program: text: reason"; the reason is left out for the forms with x. */
static void print(const char *format, va_list arguments, const char *reason) {
  fflush(stdout);
  fprintf(stderr, "%s: ", program_invocation_short_name);
  if (format) vfprintf(stderr, format, arguments);
  if (format && reason) fputs(": ", stderr);
  if (reason) fputs(reason, stderr);
  fputc('\n', stderr);
}

void vwarn(const char *format, va_list arguments) { print(format, arguments, strerror(errno)); }
void vwarnx(const char *format, va_list arguments) { print(format, arguments, NULL); }

_Noreturn void verr(int status, const char *format, va_list arguments) {
  vwarn(format, arguments);
  exit(status);
}

_Noreturn void verrx(int status, const char *format, va_list arguments) {
  vwarnx(format, arguments);
  exit(status);
}

void warn(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vwarn(format, arguments);
  va_end(arguments);
}

void warnx(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vwarnx(format, arguments);
  va_end(arguments);
}

_Noreturn void err(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  verr(status, format, arguments);
}

_Noreturn void errx(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  verrx(status, format, arguments);
}
