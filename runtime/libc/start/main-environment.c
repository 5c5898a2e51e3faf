/* For a main that takes the environment too; see start.c. */
#include "program.h"

int main(int argc, char **argv, char **environment);

int __main_argc_argv(int argc, char **argv) { return main(argc, argv, environ); }
