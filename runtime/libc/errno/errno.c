/* errno */
#include <errno.h>

static int current;

int *__errno_location(void) { return &current; }
