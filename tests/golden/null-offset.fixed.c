// engines: check explore
// adds: null-offset
#define FIXED
#include "null-offset.c"
