// engines: check
#define FIXED
#include "14-loop-body.c"
