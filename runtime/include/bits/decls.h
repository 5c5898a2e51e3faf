/*
 * Macros of <sys/cdefs.h> that every header of glibc defines. Sources use them after any header.
 */
#ifndef _BITS_DECLS_H
#define _BITS_DECLS_H

#ifdef __cplusplus
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#else
#define __BEGIN_DECLS
#define __END_DECLS
#endif

#define __CONCAT(a, b) a##b
#define __STRING(a) #a
#define __P(parameters) parameters
#define __THROW

#endif
