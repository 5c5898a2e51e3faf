// engines: check
#define FIXED
#include "13-integer.c"
