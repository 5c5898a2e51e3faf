/* Apart, because many programs define it themselves. */
#include "engine.h"

#include <redzone.h>

void reach_error(void) { __rz_abort("assertion-failure", "reach_error was called"); }
