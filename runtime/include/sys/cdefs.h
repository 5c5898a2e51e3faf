/* <sys/cdefs.h>: the few macros that BSD-born sources expect. */
#ifndef _SYS_CDEFS_H
#define _SYS_CDEFS_H

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
#define __dead2 __attribute__((__noreturn__))
#define __unused __attribute__((__unused__))

#endif
