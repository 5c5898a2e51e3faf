// engines: check
#define FIXED
#include "11-argument.c"
