/*
 * <sys/types.h>: the integer types of POSIX, LP64. As in glibc it has the macros of <endian.h>,
 * `select` and the types of threads, too, except in strict C; and so has <stdlib.h>.
 */
#ifndef _SYS_TYPES_H
#define _SYS_TYPES_H

#include <bits/posix-types.h>
#include <features.h>

#ifdef __USE_MISC
#include <endian.h>
#include <sys/select.h>
#endif
#if defined __USE_MISC || defined _POSIX_C_SOURCE || defined _XOPEN_SOURCE
#include <bits/pthread-types.h>
#endif

#endif
