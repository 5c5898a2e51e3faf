// engines: check explore
#define FIXED
#include "broken-promises.c"
