// engines: check
#define FIXED
#include "threads.c"
