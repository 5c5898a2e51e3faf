/*
 * There is no system log; with LOG_PERROR messages are written to standard error.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

static const char *identity;
static int log_options;
static int log_mask = 0xff;

void openlog(const char *ident, int options, int facility) {
  (void)facility;
  identity = ident;
  log_options = options;
}

void closelog(void) {
  identity = 0;
  log_options = 0;
}

int setlogmask(int mask) {
  const int old = log_mask;
  if (mask) log_mask = mask;
  return old;
}

void vsyslog(int priority, const char *format, va_list arguments) {
  const int saved = errno;
  if (!(log_mask & LOG_MASK(LOG_PRI(priority)))) return;
  if (!(log_options & LOG_PERROR)) {
    vsnprintf(0, 0, format, arguments); /* checks the arguments that a log would format */
    errno = saved;
    return;
  }
  const char *ident = identity ? identity : program_invocation_short_name;
  if (log_options & LOG_PID) fprintf(stderr, "%s[%d]: ", ident, getpid());
  else fprintf(stderr, "%s: ", ident);
  /* printf handles %m: it is the text of errno at the call. */
  errno = saved;
  vfprintf(stderr, format, arguments);
  const size_t length = strlen(format);
  if (length == 0 || format[length - 1] != '\n') fputc('\n', stderr);
  errno = saved;
}

void syslog(int priority, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsyslog(priority, format, arguments);
  va_end(arguments);
}
