/* The environment; start.c fills it, getenv and its kin read and change it. */
#include "program.h"

static char *empty[1];

char **environ = empty;
