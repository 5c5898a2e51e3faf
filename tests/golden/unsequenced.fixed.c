// engines: check explore
#define FIXED
#include "unsequenced.c"
