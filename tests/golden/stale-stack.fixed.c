// engines: check
#define FIXED
#include "stale-stack.c"
