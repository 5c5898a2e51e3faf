// engines: check explore
#define FIXED
#include "uninitialized-copies.c"
