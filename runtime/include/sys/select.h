#ifndef _SYS_SELECT_H
#define _SYS_SELECT_H 1

#include <bits/sigset.h>
#include <bits/timespec.h>
#include <bits/timeval.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FD_SETSIZE 1024
#define NFDBITS 64
#define __NFDBITS NFDBITS

typedef long fd_mask;
typedef struct {
  unsigned long fds_bits[FD_SETSIZE / NFDBITS];
} fd_set;

#define FD_ZERO(set) ((void)__builtin_memset((set), 0, sizeof(fd_set)))
#define FD_SET(fd, set) ((void)((set)->fds_bits[(unsigned)(fd) / NFDBITS] |= 1UL << ((unsigned)(fd) % NFDBITS)))
#define FD_CLR(fd, set) ((void)((set)->fds_bits[(unsigned)(fd) / NFDBITS] &= ~(1UL << ((unsigned)(fd) % NFDBITS))))
#define FD_ISSET(fd, set) ((int)((set)->fds_bits[(unsigned)(fd) / NFDBITS] >> ((unsigned)(fd) % NFDBITS) & 1))

int select(int __count, fd_set *__restrict __read, fd_set *__restrict __write, fd_set *__restrict __except,
           struct timeval *__restrict __timeout);
int pselect(int __count, fd_set *__restrict __read, fd_set *__restrict __write, fd_set *__restrict __except,
            const struct timespec *__restrict __timeout, const sigset_t *__restrict __mask);

#ifdef __cplusplus
}
#endif

#endif
