// engines: check
#define FIXED
#include "stale-heap.c"
