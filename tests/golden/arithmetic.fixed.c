// engines: check
#define FIXED
#include "arithmetic.c"
