// engines: check
#define FIXED
#include "acsl-loops.c"
