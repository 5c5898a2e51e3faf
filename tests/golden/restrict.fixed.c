// engines: check
// adds: restrict
#define FIXED
#include "restrict.c"
