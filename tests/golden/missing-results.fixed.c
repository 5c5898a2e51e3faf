// engines: check explore
#define FIXED
#include "missing-results.c"
