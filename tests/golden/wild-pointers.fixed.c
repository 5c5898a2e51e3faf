// engines: check explore
#define FIXED
#include "wild-pointers.c"
