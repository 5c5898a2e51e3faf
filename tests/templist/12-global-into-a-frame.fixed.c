// engines: check
#define FIXED
#include "12-global-into-a-frame.c"
