// engines: check
#define FIXED
#include "acsl-contracts.c"
