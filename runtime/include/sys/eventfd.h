#ifndef _SYS_EVENTFD_H
#define _SYS_EVENTFD_H 1

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { EFD_SEMAPHORE = 1, EFD_CLOEXEC = 02000000, EFD_NONBLOCK = 04000 };
typedef uint64_t eventfd_t;

int eventfd(unsigned int count, int flags);
int eventfd_read(int fd, eventfd_t *value);
int eventfd_write(int fd, eventfd_t value);

#ifdef __cplusplus
}
#endif

#endif
