#ifndef _SYS_XATTR_H
#define _SYS_XATTR_H 1

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Redzone has no such service: calls are reported as unsupported. */
enum { XATTR_CREATE = 1, XATTR_REPLACE = 2 };

ssize_t getxattr(const char *path, const char *name, void *value, size_t size);
ssize_t listxattr(const char *path, char *list, size_t size);
int setxattr(const char *path, const char *name, const void *value, size_t size, int flags);
int removexattr(const char *path, const char *name);

#ifdef __cplusplus
}
#endif

#endif
