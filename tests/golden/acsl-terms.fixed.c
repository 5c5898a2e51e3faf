// engines: check
#define FIXED
#include "acsl-terms.c"
