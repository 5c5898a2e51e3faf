// engines: check explore
#define FIXED
#include "boxed-pointers.c"
