/*
 * The names that BSD programs declare themselves. They are no aliases of GNU's: variables of the
 * library cannot have any.
 */
#include <errno.h>

char *__progname;
char *__progname_full;

/* Before the constructors of the program. */
__attribute__((constructor(101))) static void set_names(void) {
  __progname = program_invocation_short_name;
  __progname_full = program_invocation_name;
}
