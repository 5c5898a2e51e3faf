// engines: check
#define FIXED
#include "acsl-ends.c"
