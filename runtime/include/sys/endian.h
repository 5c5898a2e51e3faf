/* <sys/endian.h>: the BSD address of <endian.h>. */
#include <endian.h>
