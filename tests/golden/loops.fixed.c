// engines: check
#define FIXED
#include "loops.c"
