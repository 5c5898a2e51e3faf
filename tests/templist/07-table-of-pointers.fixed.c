// engines: check
#define FIXED
#include "07-table-of-pointers.c"
