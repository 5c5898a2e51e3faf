// engines: check explore
// adds: restrict
#define FIXED
#include "restrict-locals.c"
