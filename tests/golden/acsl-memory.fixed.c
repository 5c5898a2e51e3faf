// engines: check
#define FIXED
#include "acsl-memory.c"
