// engines: check
#define FIXED
#include "06-structure-copy.c"
