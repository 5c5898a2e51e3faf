// engines: check
#define FIXED
#include "05-returned-address.c"
