/* A variable of <argp.h> that a program may define itself, so each has a file. */
#include <argp.h>

error_t argp_err_exit_status = 64;
