/* For a main that takes parameters; see start.c. */
#include "program.h"

int __main_argc_argv(int argc, char **argv);

int __main_void(void) { return __main_argc_argv(__rz_argc, __rz_argv); }
