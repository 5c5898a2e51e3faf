// engines: check
#define FIXED
#include "travel.c"
