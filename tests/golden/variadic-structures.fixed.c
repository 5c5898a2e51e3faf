// engines: check explore
#define FIXED
#include "variadic-structures.c"
