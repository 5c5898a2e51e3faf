// engines: check
#define FIXED
#include "wrong-free.c"
