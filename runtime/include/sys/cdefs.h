/* <sys/cdefs.h>: the few macros that BSD-born sources expect. */
#ifndef _SYS_CDEFS_H
#define _SYS_CDEFS_H

#include <bits/decls.h>

#define __dead2 __attribute__((__noreturn__))
#define __unused __attribute__((__unused__))

#endif
