/* <sys/types.h>: the integer types of POSIX, LP64 */
#ifndef _SYS_TYPES_H
#define _SYS_TYPES_H

#include <bits/posix-types.h>
#include <stdint.h>

#endif
