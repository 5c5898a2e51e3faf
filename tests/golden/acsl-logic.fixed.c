// engines: check
#define FIXED
#include "acsl-logic.c"
