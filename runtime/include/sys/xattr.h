#ifndef _SYS_XATTR_H
#define _SYS_XATTR_H 1

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* No file has attributes, as on a file system that does not support them. */
enum { XATTR_CREATE = 1, XATTR_REPLACE = 2 };

ssize_t getxattr(const char *__path, const char *__name, void *__value, size_t __size);
ssize_t lgetxattr(const char *__path, const char *__name, void *__value, size_t __size);
ssize_t fgetxattr(int __fd, const char *__name, void *__value, size_t __size);
ssize_t listxattr(const char *__path, char *__list, size_t __size);
ssize_t llistxattr(const char *__path, char *__list, size_t __size);
ssize_t flistxattr(int __fd, char *__list, size_t __size);
int setxattr(const char *__path, const char *__name, const void *__value, size_t __size, int __flags);
int lsetxattr(const char *__path, const char *__name, const void *__value, size_t __size, int __flags);
int fsetxattr(int __fd, const char *__name, const void *__value, size_t __size, int __flags);
int removexattr(const char *__path, const char *__name);
int lremovexattr(const char *__path, const char *__name);
int fremovexattr(int __fd, const char *__name);

#ifdef __cplusplus
}
#endif

#endif
