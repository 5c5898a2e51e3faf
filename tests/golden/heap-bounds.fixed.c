// engines: check
#define FIXED
#include "heap-bounds.c"
