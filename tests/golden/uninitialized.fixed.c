// engines: check
#define FIXED
#include "uninitialized.c"
