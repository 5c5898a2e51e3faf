/*
 * <fcntl.h>: opening files, and the properties of a descriptor; the numbers are those of Linux
 */
#ifndef _FCNTL_H
#define _FCNTL_H

#include <bits/posix-types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* These are in <unistd.h> and <sys/file.h>, too, as in glibc. */
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
int lockf(int __fd, int __command, off_t __size);

#define O_RDONLY 00
#define O_WRONLY 01
#define O_RDWR 02
#define O_ACCMODE 03
#define O_CREAT 0100
#define O_EXCL 0200
#define O_NOCTTY 0400
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define O_NDELAY O_NONBLOCK
#define O_DSYNC 010000
#define O_ASYNC 020000
#define O_DIRECT 040000
#define O_LARGEFILE 0100000
#define O_DIRECTORY 0200000
#define O_NOFOLLOW 0400000
#define O_NOATIME 01000000
#define O_CLOEXEC 02000000
#define O_SYNC 04010000
#define O_RSYNC O_SYNC
#define O_PATH 010000000
#define O_TMPFILE 020200000

#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_GETLK 5
#define F_SETLK 6
#define F_SETLKW 7
#define F_SETOWN 8
#define F_GETOWN 9
#define F_OFD_GETLK 36
#define F_OFD_SETLK 37
#define F_OFD_SETLKW 38
#define F_DUPFD_CLOEXEC 1030
#define F_GETLK64 F_GETLK
#define F_SETLK64 F_SETLK
#define F_SETLKW64 F_SETLKW

#define FD_CLOEXEC 1

#define F_RDLCK 0
#define F_WRLCK 1
#define F_UNLCK 2

#define AT_FDCWD (-100)
#define AT_SYMLINK_NOFOLLOW 0x100
#define AT_REMOVEDIR 0x200
#define AT_EACCESS 0x200
#define AT_SYMLINK_FOLLOW 0x400
#define AT_NO_AUTOMOUNT 0x800
#define AT_EMPTY_PATH 0x1000

#define POSIX_FADV_NORMAL 0
#define POSIX_FADV_RANDOM 1
#define POSIX_FADV_SEQUENTIAL 2
#define POSIX_FADV_WILLNEED 3
#define POSIX_FADV_DONTNEED 4
#define POSIX_FADV_NOREUSE 5

#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif

struct flock {
  short l_type;
  short l_whence;
  off_t l_start;
  off_t l_len;
  pid_t l_pid;
};
#define flock64 flock

int open(const char *__path, int __flags, ...);
int openat(int __folder, const char *__path, int __flags, ...);
int creat(const char *__path, mode_t __mode);
#define open64 open
#define openat64 openat
#define creat64 creat
int fcntl(int __fd, int __command, ...);
int posix_fadvise(int __fd, off_t __offset, off_t __size, int __advice);
int posix_fallocate(int __fd, off_t __offset, off_t __size);
int fallocate(int __fd, int __mode, off_t __offset, off_t __size);
ssize_t readahead(int __fd, off_t __offset, size_t __n);
#ifdef _GNU_SOURCE
#define AT_STATX_SYNC_AS_STAT 0
#define AT_STATX_FORCE_SYNC 0x2000
#define AT_STATX_DONT_SYNC 0x4000
#define SPLICE_F_MOVE 1
#define SPLICE_F_NONBLOCK 2
#define SPLICE_F_MORE 4
#define SPLICE_F_GIFT 8
#define SYNC_FILE_RANGE_WAIT_BEFORE 1
#define SYNC_FILE_RANGE_WRITE 2
#define SYNC_FILE_RANGE_WAIT_AFTER 4
ssize_t splice(int __in, off_t *__in_offset, int __out, off_t *__out_offset, size_t __n, unsigned __flags);
int sync_file_range(int __fd, off_t __offset, off_t __size, unsigned __flags);
#endif

#ifdef __cplusplus
}
#endif

#include <sys/stat.h>

#endif
