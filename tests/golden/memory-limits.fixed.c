// engines: check explore
#define FIXED
#include "memory-limits.c"
