/* <sys/errno.h>: an old address of <errno.h>. */
#include <errno.h>
