/*
 * <features.h>: every name is visible by default, as if _DEFAULT_SOURCE and the POSIX.1-2008 macros
 * were set. _GNU_SOURCE only chooses between two functions that share a name: strerror_r and
 * basename.
 */
#ifndef _FEATURES_H
#define _FEATURES_H

#define __REDZONE_LIBC__ 1

/*
 * As in glibc, headers include others (<stdlib.h> has <sys/types.h>, and that has `select`) only if
 * a program asks neither for strict C nor for POSIX alone: a program that does may use their names
 * itself.
 */
#if defined _GNU_SOURCE || defined _DEFAULT_SOURCE || defined _BSD_SOURCE || defined _SVID_SOURCE || \
    !(defined __STRICT_ANSI__ || defined _POSIX_C_SOURCE || defined _POSIX_SOURCE || defined _XOPEN_SOURCE)
#define __USE_MISC 1
#endif

#endif
