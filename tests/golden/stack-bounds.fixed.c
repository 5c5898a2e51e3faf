// engines: check
#define FIXED
#include "stack-bounds.c"
