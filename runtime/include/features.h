/*
 * <features.h>: every name is visible by default, as if _DEFAULT_SOURCE and the POSIX.1-2008 macros
 * were set. _GNU_SOURCE only chooses between two functions that share a name: strerror_r and
 * basename.
 */
#ifndef _FEATURES_H
#define _FEATURES_H

#define __REDZONE_LIBC__ 1

#endif
