// engines: check
#define FIXED
#include "in-libc.c"
