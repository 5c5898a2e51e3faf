// engines: check
#define FIXED
#include "10-list.c"
