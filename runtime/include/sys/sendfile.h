#ifndef _SYS_SENDFILE_H
#define _SYS_SENDFILE_H 1

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

ssize_t sendfile(int __to, int __from, off_t *__offset, size_t __count);

#ifdef __cplusplus
}
#endif

#endif
