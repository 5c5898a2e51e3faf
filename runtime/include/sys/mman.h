/* <sys/mman.h>: memory that stands for a file, or for nothing */
#ifndef _SYS_MMAN_H
#define _SYS_MMAN_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4

#define MAP_SHARED 0x01
#define MAP_PRIVATE 0x02
#define MAP_SHARED_VALIDATE 0x03
#define MAP_TYPE 0x0f
#define MAP_FIXED 0x10
#define MAP_ANONYMOUS 0x20
#define MAP_ANON MAP_ANONYMOUS
#define MAP_GROWSDOWN 0x100
#define MAP_DENYWRITE 0x800
#define MAP_LOCKED 0x2000
#define MAP_NORESERVE 0x4000
#define MAP_POPULATE 0x8000
#define MAP_NONBLOCK 0x10000
#define MAP_STACK 0x20000
#define MAP_HUGETLB 0x40000
#define MAP_FIXED_NOREPLACE 0x100000
#define MAP_FILE 0
#define MAP_FAILED ((void *)-1)

#define MS_ASYNC 1
#define MS_INVALIDATE 2
#define MS_SYNC 4

#define MADV_NORMAL 0
#define MADV_RANDOM 1
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED 3
#define MADV_DONTNEED 4
#define MADV_FREE 8
#define MADV_DONTFORK 10
#define MADV_HUGEPAGE 14
#define MADV_NOHUGEPAGE 15
#define POSIX_MADV_NORMAL 0
#define POSIX_MADV_RANDOM 1
#define POSIX_MADV_SEQUENTIAL 2
#define POSIX_MADV_WILLNEED 3
#define POSIX_MADV_DONTNEED 4

#define MCL_CURRENT 1
#define MCL_FUTURE 2
#define MREMAP_MAYMOVE 1
#define MREMAP_FIXED 2

void *mmap(void *hint, size_t size, int protection, int flags, int fd, off_t offset);
#define mmap64 mmap
int munmap(void *start, size_t size);
int mprotect(void *start, size_t size, int protection);
int msync(void *start, size_t size, int flags);
int madvise(void *start, size_t size, int advice);
int posix_madvise(void *start, size_t size, int advice);
int mlock(const void *start, size_t size);
int munlock(const void *start, size_t size);
int mlockall(int flags);
int munlockall(void);
int mincore(void *start, size_t size, unsigned char *resident);
void *mremap(void *start, size_t old_size, size_t new_size, int flags, ...);
int shm_open(const char *name, int flags, mode_t mode);
int shm_unlink(const char *name);
int memfd_create(const char *name, unsigned flags);

#ifdef __cplusplus
}
#endif

#endif
