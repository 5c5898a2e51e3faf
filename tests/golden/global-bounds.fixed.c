// engines: check
#define FIXED
#include "global-bounds.c"
