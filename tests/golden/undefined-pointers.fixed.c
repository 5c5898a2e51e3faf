// engines: check explore
#define FIXED
#include "undefined-pointers.c"
