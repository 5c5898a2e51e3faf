// engines: check
#define FIXED
#include "01-reused-block.c"
