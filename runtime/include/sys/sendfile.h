#ifndef _SYS_SENDFILE_H
#define _SYS_SENDFILE_H 1

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Redzone has no such service: calls are reported as unsupported. */
ssize_t sendfile(int to, int from, off_t *offset, size_t count);

#ifdef __cplusplus
}
#endif

#endif
