#ifndef _SYS_PTRACE_H
#define _SYS_PTRACE_H 1

#include <bits/posix-types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A program is one process: calls are reported as unsupported. */
enum { PTRACE_TRACEME = 0, PTRACE_CONT = 7, PTRACE_ATTACH = 16, PTRACE_DETACH = 17 };

long ptrace(int request, ...);

#ifdef __cplusplus
}
#endif

#endif
