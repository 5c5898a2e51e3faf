// engines: check
#define FIXED
#include "15-handles.c"
