// engines: check
#define FIXED
#include "09-copied-bytes.c"
