/* A variable of <argp.h> that a program may define itself, so each has a file. */
#include <argp.h>

const char *argp_program_version;
