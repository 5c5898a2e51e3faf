/* A variable of <argp.h> that a program may define itself, so each has a file. */
#include <argp.h>

void (*argp_program_version_hook)(FILE *restrict stream, struct argp_state *restrict state);
