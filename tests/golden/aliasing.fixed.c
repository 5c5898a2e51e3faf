// engines: check
// adds: aliasing
#define FIXED
#include "aliasing.c"
