// engines: check
#define FIXED
#include "null-and-wild.c"
