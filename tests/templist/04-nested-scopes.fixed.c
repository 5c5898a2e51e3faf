// engines: check
#define FIXED
#include "04-nested-scopes.c"
