// engines: check explore
#define FIXED
#include "aliases.c"
