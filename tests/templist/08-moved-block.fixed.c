// engines: check
#define FIXED
#include "08-moved-block.c"
