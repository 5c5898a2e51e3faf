/* <memory.h>: an old name of <string.h>. */
#include <string.h>
