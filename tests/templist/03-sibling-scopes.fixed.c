// engines: check
#define FIXED
#include "03-sibling-scopes.c"
