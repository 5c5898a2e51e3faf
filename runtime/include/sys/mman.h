/* <sys/mman.h>: memory that stands for a file, or for nothing */
#ifndef _SYS_MMAN_H
#define _SYS_MMAN_H

#include <bits/posix-types.h>

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
#define MAP_EXECUTABLE 0x1000
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
#define MADV_REMOVE 9
#define MADV_DONTFORK 10
#define MADV_DOFORK 11
#define MADV_MERGEABLE 12
#define MADV_UNMERGEABLE 13
#define MADV_HUGEPAGE 14
#define MADV_NOHUGEPAGE 15
#define MADV_DONTDUMP 16
#define MADV_DODUMP 17
#define POSIX_MADV_NORMAL 0
#define POSIX_MADV_RANDOM 1
#define POSIX_MADV_SEQUENTIAL 2
#define POSIX_MADV_WILLNEED 3
#define POSIX_MADV_DONTNEED 4

#define MCL_CURRENT 1
#define MCL_FUTURE 2
#define MREMAP_MAYMOVE 1
#define MREMAP_FIXED 2

#define MFD_CLOEXEC 1u
#define MFD_ALLOW_SEALING 2u

void *mmap(void *__hint, size_t __size, int __protection, int __flags, int __fd, off_t __offset);
#define mmap64 mmap
int munmap(void *__start, size_t __size);
int mprotect(void *__start, size_t __size, int __protection);
int msync(void *__start, size_t __size, int __flags);
int madvise(void *__start, size_t __size, int __advice);
int posix_madvise(void *__start, size_t __size, int __advice);
int mlock(const void *__start, size_t __size);
int munlock(const void *__start, size_t __size);
int mlockall(int __flags);
int munlockall(void);
int mincore(void *__start, size_t __size, unsigned char *__resident);
void *mremap(void *__start, size_t __old_size, size_t __new_size, int __flags, ...);
int shm_open(const char *__name, int __flags, mode_t __mode);
int shm_unlink(const char *__name);
int memfd_create(const char *__name, unsigned __flags);

#ifdef __cplusplus
}
#endif

#endif
