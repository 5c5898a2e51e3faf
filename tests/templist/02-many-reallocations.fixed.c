// engines: check
#define FIXED
#include "02-many-reallocations.c"
