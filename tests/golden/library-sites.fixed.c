// engines: check
#define FIXED
#include "library-sites.c"
